"""Messages in the middle of a talk that need nothing from it: they must come back to the byte. See
tests/followups.py."""

from __future__ import annotations

from tests.followups_form import FollowUp, said

__all__ = ["NONE"]

NONE: tuple[FollowUp, ...] = (
    FollowUp(
        "none",
        said("Plan a picnic by the Alster for Sunday", ">Done, with a list of what to bring."),
        "it is raining in Hamburg, what can four kids do indoors?",
    ),
    FollowUp(
        "none",
        said("I want to install Postgres 16 with Homebrew"),
        "is it possible to run two versions of Postgres on one Mac?",
    ),
    FollowUp(
        "none",
        said("Which language should a beginner learn?", ">Python is a good start."),
        "I think that Java is harder to teach than Python",
    ),
    FollowUp(
        "none",
        said("We are going to Salzburg for the festival"),
        "It takes about three hours to drive from Vienna to Salzburg, right?",
    ),
    FollowUp(
        "none", said("Recommend me a music teacher in Ghent"), "I have an old cello; can I sell it without the bow?"
    ),
    FollowUp(
        "none",
        said("Write a validator for phone numbers"),
        "Write a regex for German postcodes and explain it line by line",
    ),
    FollowUp(
        "none",
        said("How do generators work?", ">They yield one value at a time."),
        "```python\nfor it in items:\n    print(it)\n```\nWhat does this code print if items is empty?",
    ),
    FollowUp(
        "none",
        said("I deployed the new config loader"),
        "Traceback (most recent call last):\n  File \"main.py\", line 3, in <module>\n    conf['it']\nKeyError: 'it'",
    ),
    FollowUp(
        "none",
        said("Tell me about the Apollo missions", ">There were seventeen of them."),
        'Who said "that\'s one small step for man"?',
    ),
    FollowUp("none", said("How do I sharpen a plane iron?", ">Start with a 1000 grit stone."), "thanks!"),
    FollowUp("none", said("Which bus goes to the airport?", ">Line 32."), "perfect, thanks a lot"),
    FollowUp("none", said("Show me a painting by Magritte"), 'Translate "this is not a pipe" into Dutch'),
    FollowUp("none", said("What is the capital of Kazakhstan?", ">Astana."), "What is the capital of Mongolia?"),
    FollowUp(
        "none",
        said("My server rejects connections on 8080", ">Is something listening there?"),
        "How do I list all open ports on Ubuntu 22.04?",
    ),
    FollowUp(
        "none", said("When is our call with the Berlin team?"), "it's late here in Tokyo, what time is it in Berlin?"
    ),
    FollowUp(
        "none",
        said("We close the books on Friday", ">Noted."),
        "The report that Dana sent me has a wrong total on page 3, write her a friendly note",
    ),
    FollowUp(
        "none", said("What is a socket?", ">An endpoint of a connection."), "Explain the difference between TCP and UDP"
    ),
    FollowUp(
        "none", said("Import catalogue.csv into the shop"), "Please note that all prices in catalogue.csv are net"
    ),
    FollowUp(
        "none", said("The build queue is long again"), "It seems that our Jenkins agents run out of disk every Friday"
    ),
    FollowUp(
        "none",
        said("I need a new saddle", ">For a road bike or a city bike?"),
        "My brother says he can fix bikes; what should he charge for a tune-up?",
    ),
    FollowUp(
        "none",
        said("My lentil soup was a success", ">Glad to hear it."),
        "this week I need three vegetarian dinners for two people",
    ),
    FollowUp("none", said("Write a script that tags releases"), "Generate a random UUID in bash"),
    FollowUp("none", said("I want to plant a birch in front of the house"), "New topic: who discovered insulin?"),
    FollowUp(
        "none",
        said("The nav bar needs a profile picture"),
        "If a user has no avatar, show the user's initials in a grey circle in the nav bar",
    ),
    FollowUp("none", said("My query returns no rows"), "SELECT this, that FROM them WHERE it = 1;"),
    FollowUp(
        "none",
        said("What does 'piece of cake' mean?", ">Something very easy."),
        "What does 'break a leg' mean and where does it come from?",
    ),
    FollowUp(
        "none",
        said("Write a function that flattens a nested list"),
        "Write a Python function that takes two lists and returns the elements that both of them share",
    ),
    FollowUp("none", said("Remind me to water the ficus", ">I will."), "great, good night"),
    FollowUp(
        "none",
        said("How do I say 'the day before yesterday' in Polish?", ">Przedwczoraj."),
        "Is there a single word for 'overmorrow' in modern English?",
    ),
    FollowUp(
        "none",
        said("Who climbed Mount Everest first?", ">Hillary and Tenzing."),
        "Who was the first woman to reach the South Pole alone?",
    ),
    FollowUp(
        "none",
        said("We want to see the fjords", ">June is the best month."),
        "how far is it from Oslo to Bergen by train?",
    ),
    FollowUp("none", said("I bought a wok"), "What's the best way to clean a cast iron pan?"),
    FollowUp(
        "none", said("I loved Pride and Prejudice"), "Compare the novels Emma and Persuasion: which one is shorter?"
    ),
    FollowUp("none", said("Send the slides to Priya", ">Sent."), "no worries, see you tomorrow"),
)
