"""Answers in people's own words: what means going on, what means something new, and what is no answer."""

from __future__ import annotations

__all__ = ["NEW", "NO_ANSWER", "SAME"]


def _listed(text: str) -> tuple[str, ...]:
    return tuple(said.strip() for line in text.strip().splitlines() for said in line.split(" | "))


# To "Does “Make it bigger” go on with what we had? A: go on with FAB Button; B: something new"
SAME = _listed("""
A | a | A. | (a) | a) | A! | "A" | **A** | 1 | 1. | #1 | one | option A | Option a | option 1 | option one
number 1 | answer A | my answer is A | I choose A | I'd pick A | A please | A, please | A: go on with FAB Button
A - go on | A, go on with it | take A | let's take A | go with A | the first | the first one | the first option
first | the former | former | 1st | yes | Yes! | yep | yeah | yup | yes please | yes, please | yes it does
it does | sure | right | correct | exactly | of course | yeah, sure | i think so | ok yes | yes, go on
yes, same | yes, the same one | Yes. Go on. | same | the same | same one | same thing | the same thing
same topic | same conversation | still the same | still the same one | it's the same | it is the same thing
that's the same topic | same as before | all the same topic | it's still the same conversation
no, it's the same | no, same thing | same again | go on | go on with it | Go on with that | please go on
go on please | go on with the same | go ahead | keep going | keep going with it | carry on | carry on with that
continue | continue please | continue with it | continue with that one | let's continue | let's go on with it
let's keep going | proceed | resume | stay with it | stick with it | stick with that | go on with what we had
continue what we had | continue where we left off | keep on | stay on topic | stay on the topic | back to it
go back to that | pick up where we left off | go on with FAB button | go on with the FAB button | the FAB button
FAB button | the FAB one | the button one | the button | button | with the button | continue with the button
it's about the button | about the FAB button | still the button | keep going with the FAB button
the one with the button | i meant the button | I mean the FAB button | the button, please | that button thing
not new | nothing new | not something new | no new topic | not a new one | not something else | it's not new
it belongs to that | part of it | it's part of that | it's related | related | about the same
it's about the same thing | as before | that one | the old one | the previous one | the current one
the old topic | what we had | this one | don't switch | yes that's part of it | keep it in the same one
same as above | still talking about the button | it's for the FAB button | continuing | continue the same
yes exactly | the FAB thing | sure, go on | yes let's continue | go on then | ok go on | ok continue | aye
let's stay on that | stay there | keep it there | with that one | that same one | it goes with the button
the existing one | go with the first | the first please | first one | belongs to the button | yes, the button
the fab | I was talking about the button | that's for the button | yes, continue with the FAB button please
we're still on the button | same, go on | it's a continuation | 1 please | it's 1 | A it is
the one from before | the one we had | like before
""")
NEW = _listed("""
B | b | b) | B. | (B) | 2 | 2) | two | #2 | option B | option two | number 2 | answer: B | I choose B
I'd go with B | B please | B, something new | B: something new | take b | the second | the second one | second
the second option | the latter | latter | 2nd | no | No. | nope | nah | no, thanks | not really | no way
not at all | it doesn't | it does not | i don't think so | no, new | no, something new | no, a new one
no, it's something else | No. Something else. | nope, different | no, that's new | yes, something new
no, start over | new | something new | Something New! | it's something new | it's new | that's new | a new one
a new topic | new topic | new conversation | new one | a new thing | new thing | start a new one | start new
start something new | a brand new topic | completely new | something completely new | make it a new one
open a new one | let's start a new one | a new conversation please | new please | i want something new
this is new | it is a new question | something else | something different | it's something else
something else entirely | something totally different | different | a different topic | different topic
a different one | another one | another topic | another thing | unrelated | it's unrelated | that's unrelated
not related | it's not related | separate | a separate topic | the other one | the other | else | other
other topic | start fresh | start over | start again | from scratch | start from scratch | begin anew
a fresh start | neither | none of these | none | not that | not that one | not the same | it's not the same
not the same thing | nothing to do with it | it has nothing to do with that | switch | switch topics
change of topic | change topic | not the button | not the FAB button | move on | forget that
a different matter | nope, new topic | no it's new | no this is new | new stuff | start a new conversation
make a new one | create a new one | a totally different thing | it's a different question | this is unrelated
not connected | nothing to do with that | no, different | let's do something else | i'd like something new
switching topics | new subject | a new task | something fresh | the new one | other one | no, forget that
completely unrelated | i want a new one | something different please | brand new | treat it as new
separate conversation | B it is | 2 please | let's go with something new | No, I want something else
it's another topic | not about the button | this has nothing to do with the button | no that is separate
a new one, please | definitely new | new question | I'm asking about something else | let's switch
different thing
""")
NO_ANSWER = _listed("""
no, make it green | yes, and add tests | go on with the tests | make the FAB button purple
new topic: write a haiku about the sea | continue the list with five more | add a new button | is it the same?
something new? | write a new function that adds two lists | what is the difference | the header
same for the footer | the other list should be sorted | I want to add dark mode
use the first one of the list you gave | thanks | ok | stop | start the server | make another one | do it again
do the same | create another | can you start over | what else | make it different | move it | take it over
another one of those please for the header | change the color | remove the button | the second column is wrong
it does not work | different colors please | start over with the tests | that is wrong because the test fails
no tests | another button | B is the wrong grade for this student | a b | go to the settings page
open a new file | open a new tab | make it a new line | it is not new enough for me to like it very much at all
not the header | move it to the left | back to the settings page | drop the table | forget the header
switch to dark mode | yes or no | A or B | same, but for the footer | keep the header | stay on the left side
true positives | wrong color | right side
""")
