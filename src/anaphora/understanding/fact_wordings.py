"""The wordings of facts: what people tell of themselves, of those near them and of what they work with."""

from __future__ import annotations

from anaphora.understanding.shapes import BE, MILD, Shape, shape

__all__ = ["FACTS"]

_KIN = (
    r"(?:wife|husband|spouse|partner|fianc[eé]e?|girlfriend|boyfriend|son|daughter|kids?|child(?:ren)?|baby|"
    r"mother|mom|mum|"
    r"father|dad|parents|brother|sister|siblings?|grand(?:mother|father|ma|pa)|aunt|uncle|cousin|dogs?|cats?|pets?|"
    r"roommate|boss|manager|colleague|team ?lead)"
)
_OWN = (
    rf"(?:(?:\w+ )?{_KIN}|company|employer|team|job|title|role|birthday|age|email|e-mail|phone(?: number)?|address|"
    r"home ?town|city|country|time ?zone|pronouns|laptop|computer|machine|os|operating system|editor|ide|shell|"
    r"terminal|"
    r"keyboard|stack|tech stack|native language|mother tongue|degree|major|background|blood type|shoe size|height|"
    r"dentist|doctor|working hours|work hours|office hours|office|day off|schedule|shift|python version|node version)"
)
_ABOUT_ME = (
    r"from|based in|living in|located in|originally from|working (?:at|for|as|in)(?! (?:it|this|that)\b)|"
    r"studying|responsible for|"
    r"in charge of|"
    r"an?|the (?:cto|ceo|cfo|founder|owner|lead|maintainer|author|manager|head|only)|\d{1,2}(?= years old|"
    r"\s*[,!]|\.?$| and\b)|married|single|"
    r"divorced|vegan|vegetarian|allergic to|left-handed|right-handed|colou?r-?blind|diabetic|pregnant|retired|"
    r"self-employed|freelanc\w+|unemployed|new to|fluent in|a native|(?:usually|mostly|only)? ?(?:free|"
    r"available|off) (?:on|from|until|after)|"
    r"on (?:ubuntu|debian|fedora|arch|linux|windows|mac ?os|mac|python|node|java|php|ruby|version|v?\d|"
    r"vacation|holiday|call|pst|est|cet|utc|gmt)|"
    r"in (?:the )?(?:pst|est|cet|utc|gmt)"
)
_TOOL = (
    r"(?!(?:this|that|the|it|its|a|an|your|these|those|my|to|only|them|such|some|in|for|here|below|above|"
    r"following|as)\b)"
)
_HOW = r"(?:(?:currently|mostly|usually|normally|only|also|additionally) )*"
_THIRD = r"(?:an?|two|three|four|five|\d+|no|my own)"

_WORKS_ON = (  # what a team runs, of which it is told what it is made with
    r"(?:back ?end|front ?end|api|app|site|website|web ?shop|server|servers|code ?base|service|services|stack|database|"
    r"cluster|ci|production|staging|cli|mobile app|data pipeline|machine|laptop|pc|desktop|vm|router|nas)"
)
_NEAR = r"(?:son|daughter|kids?|child|children|baby|twins|dogs?|cats?)"
_LEARNED = (
    r"(?!(?:it|this|that|them|you|hard|for|how|what|every|at|in|as|the|a|an|from|near|myself|people|there|here|prep|"
    r"time|"
    r"guides?|plans?|sessions?|groups?|notes|materials?|hours)\b)"
    r"[a-z]+"
)

FACTS: tuple[Shape, ...] = (
    # facts about the speaker
    shape(
        "fact",
        "ceijmpy",
        "name|call me|i go by",
        r"(?P<x>my (?:full |first |last |middle |real |user)?name(?:'s|"
        r" is) (?!(?:not|in|on|at|an?|the|missing|wrong|too|already|also|being|still|never|shown|displayed|there|here|"
        r"(?:mis)?spel\w+|listed|hidden|cut|no longer|above|below|taken|unique|"
        r"what)\b)[\w\ufffc][\w\ufffc.'-]*(?-i: [A-Z][\w.'-]*){0,3}|(?:people |everyone |just |"
        r"you can )?call me (?!back|when|if|at|crazy|old)\S.+|i go by .+)",
    ),
    shape(
        "fact",
        "it",
        "i'm|i am|this is",
        r"(?P<x>(?-i:(?:I'm|I am|This is) [A-Z][a-zé]+(?: [A-Z][a-zé]+)?)(?=[.!]?$|,| from\b|"
        r" and\b))(?<!ing)(?<!Sorry)(?<!Done)(?<!Not)(?<!Sure)(?<!Ok)",
    ),
    shape(
        "fact",
        "i",
        "'m| am ",
        rf"(?P<x>i(?:'m| am) {MILD}(?:currently )?(?:{_ABOUT_ME})\b(?! (?:bit|little|lot|tad|few|(?:big |"
        rf"huge )?fan|loss|wondering|mess|sucker)\b).{{2,}}|i(?:'m| am) (?:vegan|vegetarian|married|retired|"
        r"pregnant|diabetic|left-handed|unemployed|self-employed|colou?r-?blind)\b.*)",
    ),
    shape(
        "fact",
        "i",
        "work|live|study|teach|grew up|was born|come|reside",
        rf"(?P<x>i {_HOW}(?!(?:live|come|reside|study) for\b)(?:work|live|study|teach|grew up|was born|"
        r"come|reside) (?:at|in|for|as|from|near|remotely|part-time|full-time|nights|night shifts|mondays|"
        r"weekends)\b.*)",
    ),
    shape(
        "fact",
        "i",
        " been ",
        r"(?P<x>i(?:'ve| have) been (?:working (?:at|for|as|in)|living|studying|teaching|programming|coding|"
        r"married|vegan|vegetarian) .{2,})",
    ),
    shape(
        "fact",
        "i",
        "'ve|have|own",
        rf"(?P<x>i(?: also)?(?:'ve(?: also)? got| have| own) {_THIRD} (?:[\w-]+ ){{0,2}}?"
        rf"(?:{_KIN}|allerg(?:y|ies)|degree|phd|"
        r"masters?|bachelors?|macbook|laptop|thinkpad|car|house|garden|startup|company|meeting|standup|class|"
        r"appointment|years of experience|gpu)\b.*)",
    ),
    shape(
        "fact",
        "m",
        "my ",
        rf"(?P<x>my (?:new |current )?{_OWN}(?-i: [A-Z]\w+)?(?:'s(?: name is)?| is| are| lives?| works?| uses?| runs?|"
        r" was| starts?| ends?|"
        rf" turns?| has| have) (?!not\b|broken|crash|fail|slow|stuck).{{1,}})",
    ),
    shape(
        "fact",
        "",
        " my ",
        rf"(?P<x>(?-i:[A-Z][\w'-]+(?: [A-Z][\w'-]+)?)(?: is(?: now| no longer)?| became| isn't(?= .* any ?more\b)) my "
        rf"(?:new |current )?(?:{_KIN}|mentor|supervisor|dentist|doctor|landlord|landlady)"
        r"(?: now| these days| from now on| any ?more| since .+)?[.!]?$)",
    ),
    shape(
        "fact",
        "i",
        "i've got|i have|i got",
        rf"(?P<x>i(?:'ve got| have| got| have got) a new (?:{_KIN}|mentor|supervisor|dentist|doctor|landlord|landlady)"
        r"(?:,|:| called| named)?(?-i: [A-Z]).*)",
    ),
    shape(
        "fact",
        "i",
        "switched|changed|migrated|moved",
        rf"(?P<x>i(?:'ve| have)? {MILD}(?:recently )?(?:(?:switched|changed|migrated)(?: over| back)?"
        rf"(?: from [\w.+#/ -]{{1,40}}?)? to|moved(?: over)? from [\w.+#/ -]{{1,40}}? to) {_TOOL}"
        r"(?!(?:another|plan|next|main|master|branch|something)\b)\S.*)",
    ),
    shape(
        "fact",
        "iw",
        "use|run|develop|code in|program in|deploy|host on|build with",
        rf"(?P<x>(?:i|we) {_HOW}(?:use|run|run on|develop (?:on|in|with)|code in|program in|"
        rf"deploy (?:on|to|with)|host on|build with) {_TOOL}\S.*)",
    ),
    shape(
        "fact",
        "iw",
        "using|running|on ",
        rf"(?P<x>(?:i|we){BE} (?:currently |also |additionally )*(?:using|running|on) {_TOOL}"
        r"(?-i:(?=[A-Z\ufffc])|(?=\S+ v?\d)|"
        r"(?=postgres|python|node|react|django|redis|docker|macos|ubuntu|linux))\S.*)",
    ),
    shape(
        "fact",
        "i",
        "start|finish|wake up|get up|leave|go to bed|go for a run|have lunch",
        r"(?P<x>i (?:usually |normally |always |typically )?(?:start|finish|wake up|get up|leave|go to bed|"
        r"go for a run|have lunch) (?:\w+ )?(?:at|by|around|before|after) (?:\d|noon|mid).*)",
    ),
    shape(
        "fact",
        "i",
        "speak|drive|play|graduated|studied|majored|moved|retired|run a|volunteer|belong|relocated|joined|got ",
        r"(?P<x>i(?:'ve| have)? (?:just |recently |also |additionally )*(?:speak|drive an?|play|graduated from|"
        r"studied|majored in|"
        r"moved (?:back )?to(?! (?:(?:the )?(?:next|other|last|first|following|main|second|line|step|part)|"
        r"another|this|that|it)\b)|"
        r"retired from|run a|volunteer at|belong to|relocated to|joined (?-i:(?=[A-Z]))|"
        r"got an? (?:new )?job (?:at|with|as)|got (?:married|engaged|divorced)(?= to (?!(?:that|this|the|it|an?)\b)|"
        r"[.!]?$)).*)",
    ),
    shape("fact", "i", "'m| am ", r"(?P<x>i(?:'m| am) (?:already |only |just )?\d\d(?: years old)?[.!]?$)"),
    shape("fact", "i", "turn", r"(?P<x>i(?:'ve|'m| have| am)? (?:just )?turn(?:ed|ing)? \d{1,3}\b(?! \w+s\b).*)"),
    shape(
        "fact",
        "i",
        "study|teach|studying|teaching",
        rf"(?P<x>i(?:'m| am)? {_HOW}(?:study|teach|studying|teaching) {_LEARNED}(?: [a-z]+){{0,2}}?(?:[.!]?$|"
        r" (?:at|in) .+))",
    ),
    shape(
        "fact",
        "iw",
        "use|have",
        rf"(?P<x>(?:i|we) {_HOW}(?:use|have) an? (?:\w+ )?(?:mac|macbook(?: \w+)?|pc|laptop|thinkpad|chromebook|"
        r"imac|iphone|"
        r"ipad|android phone|(?:linux|windows|ubuntu) \w+)(?:[.!]?$| (?:with|running|for|at|and)\b.*))",
    ),
    shape(
        "fact",
        "mot",
        " in | on | runs | run | with ",
        rf"(?P<x>(?:our|my|the) (?:\w+ )?{_WORKS_ON} (?:(?:is|are)(?: (?:written|built|hosted|deployed|running|made))? "
        r"(?:in|on|with)|runs?(?: on)?) (?-i:(?=[A-Z])|(?=\S+ v?\d))(?!I\b)\S.*)",
    ),
    shape(
        "fact",
        "w",
        "have|got",
        rf"(?P<x>we(?:'ve got| have| have got) {_THIRD} (?:[\w-]+ )?{_NEAR}(?=[.!,]|$| (?:called|named|who|"
        r"and|aged|"
        r"together)\b).*)",
    ),
    shape(
        "fact",
        "m",
        "my ",
        rf"(?P<x>my (?:\w+ )?{_KIN}(?-i: [A-Z]\w+)?(?: has| just|'s)* (?:(?:moved|relocated)(?: back)? to (?-i:[A-Z])|"
        r"turned \d|turned [a-z]+[.!]?$|got (?:married|engaged|divorced|a (?:new )?job)\b|started (?:school|university|"
        r"working)\b|(?:can't|cannot|doesn't) (?:eat|drink)\b|passed away\b|died\b|retired\b).*)",
    ),
    shape(
        "fact",
        "",
        "can't|cannot|doesn't|allergic|vegan|vegetarian|intoleran",
        r"(?P<x>(?!(?-i:This|That|It|He|She|They|We|You|I|There|Who|What)\b)(?-i:[A-Z][a-z]+)(?: (?:can't|"
        r"cannot|doesn't) "
        r"(?:eat|drink) (?!it\b)\w.*|(?: is|'s) (?:allergic to \w.*|(?:vegan|vegetarian|lactose intolerant|"
        r"gluten intolerant)\b.*)))",
    ),
    shape(
        "fact",
        "",
        "broke up|split up|separated|divorced|married|engaged",
        rf"(?P<x>(?:(?-i:[A-Z][a-z]+)|my (?:{_KIN}|ex)) and i (?:have |just |recently )*(?:broke up|split up|separated|"
        r"(?:got|are) (?:divorced|married|engaged|separated))\b.*|(?:we|i)(?:'ve| have|'re| are)? (?:just |recently )*"
        r"(?:broke up(?= with\b|[.!]?$| last| yesterday)|split up(?=[.!]?$)|separated(?=[.!]?$)|(?:got |getting )?"
        r"(?:divorced|engaged|married)(?= to (?!(?:that|this|the|it|an?)\b)|[.!]?$| (?:last|this|in|on|yesterday|two|"
        r"three)\b)).*)",
    ),
    shape(
        "fact",
        "iw",
        "upgraded|updated|downgraded",
        rf"(?P<x>(?:i|we)(?:'ve| have)? {MILD}(?:recently )?(?:upgraded|updated|"
        rf"downgraded)(?: from [\w.+#/ -]{{1,40}}?)? to "
        r"(?-i:[A-Z])[\w.+#-]* v?\d.*)",
    ),
    # what used to be so
    shape(
        "fact",
        "i",
        "left |quit |resigned from ",
        r"(?P<x>i(?:'ve| have)? (?:just |recently |finally )*(?:left|quit|resigned from) (?-i:[A-Z])[\w&.-]*"
        r"(?-i: [A-Z][\w&.-]*)?(?:[.!]?$| (?:last|in|this|after|for|two|three|a|some|yesterday)\b.*))",
    ),
    shape(
        "fact",
        "w",
        "longer|any more|anymore",
        r"(?P<x>we (?:no longer|(?:don't|do not)(?= .* any ?more\b)) (?:use|run|live|work|host|deploy)\b"
        r"(?! (?:it|that|this|them)\b).*)",
    ),
    shape(
        "fact",
        "i",
        "longer|any more|anymore|my job| now ",
        r"(?P<x>i (?:no longer|(?:don't|do not)(?= .* any ?more\b)) (?:live|work|study|teach|use|run|play|own|drive|"
        r"eat|drink|smoke|speak|prefer)\b(?! (?:it|that|this|them)\b).*|"
        r"i(?:'m| am) (?:no longer|not(?= .* any ?more\b)) (?:an?|the|vegan|vegetarian|married|single|engaged|living|"
        r"working (?:at|for|as|in)|studying|based|allergic|new to|employed|using|running|on)\b.*|"
        r"i(?:'ve| have)? (?:just )?(?:quit|left|lost) my job\b.*|"
        r"i now (?:live (?:in|at|near)|work (?:at|for|as|in)|study|teach|use|drive|prefer) (?!(?:it|this|"
        r"that|the)\b).{2,})",
    ),
)
