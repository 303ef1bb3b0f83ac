"""The wordings by which the topic of a fact is known, without who is spoken of; `x` is what is said of it."""

from __future__ import annotations

import re

from anaphora.understanding.patterns import any_case, expression

__all__ = [
    "ADVERBS",
    "AGAINST",
    "ARTICLE",
    "CHANGED",
    "ENDED",
    "FAVOURITE",
    "HABIT",
    "I_AM",
    "MINE",
    "OF_KIN",
    "PARTNERS",
    "PEOPLES",
    "PREFERS",
    "QUALIFIED",
    "REASON",
    "RULES",
    "SMALL",
    "SUBJECT",
    "TASTE",
    "USES",
    "VERSION",
]


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


REASON = any_case(r"\s+because\s.*")
I_AM = expression(r"(?:I'm|I am|This is) ([A-Z][a-zé]+(?: [A-Z][a-zé]+)?)")
ENDED = any_case(
    r"\b(?:no longer|any ?more|no more|used to|stopped|quit|left (?:my|the|their) job|left (?-i:(?=[A-Z]))|resigned|"
    r"gave up|given up|"
    r"(?:i'm|i am|is|am) not|isn't|aren't|broke up|split up|separated)\b"
)
CHANGED = any_case(
    r"\b(?:now|nowadays|these days|from now on|instead|switched|upgraded|moved|changed|again|since (?:last|this))\b"
)
SUBJECT = any_case(
    r"(?:the user|user|we|i|they|he|she)(?:(?:'ve| have|'s| has)(?= (?:\w+ly |just )?(?:moved|been|got|joined|started|"
    r"stopped|quit|left|switched|changed|relocated|given|turned)\b)|'re| are|'s| is)?\s+"
)
ADVERBS = any_case(
    r"\b(?:now|nowadays|these days|currently|still|just|really|also|actually|any ?more|no longer|again|recently|"
    r"finally|already|from now on|these days|at the moment|right now|since (?:last|this) \w+|instead)\b"
)
QUALIFIED = any_case(
    r"\s+(?P<q>(?:for|in|on|at|when|while|with|during|as|before|after|because|but|if|unless|whenever)\s.+)$"
)
ARTICLE = any_case(
    r"^(?:a|an|the|my|our|their|some|any|all|to|using|use|uses|having|have|working with|work with|writing)\s+"
)
AGAINST = any_case(r"\s+(?:to|over|rather than|instead of|more than|than|not)\s+(?P<over>.+)$")
_KIN = (
    r"(?:wife|husband|spouse|partner|fianc[eé]e?|girlfriend|boyfriend|son|daughter|kids?|child(?:ren)?|baby|mother|mom|"
    r"mum|father|dad|parents|brother|sister|siblings?|grand(?:mother|father|ma|pa)|aunt|uncle|cousin|dog|cat|pet|"
    r"roommate|boss|manager|colleague|team ?lead|dogs|cats|pets|brothers|sisters|sons|daughters)"
)
_JOBS = (
    r"(?:accountant|actor|actress|analyst|architect|artist|attorney|baker|barista|biologist|carpenter|cashier|chef|"
    r"chemist|clerk|coach|consultant|cook|cto|ceo|cfo|dentist|designer|developer|doctor|driver|economist|editor|"
    r"electrician|engineer|farmer|firefighter|founder|freelancer|gardener|journalist|lawyer|lecturer|librarian|"
    r"manager|mechanic|midwife|musician|nurse|officer|painter|paramedic|pharmacist|photographer|physicist|pilot|"
    r"plumber|policeman|postdoc|professor|programmer|psychologist|recruiter|researcher|scientist|secretary|student|"
    r"surgeon|teacher|technician|therapist|translator|tutor|veterinarian|vet|waiter|waitress|writer|intern|"
    r"administrator|admin|sysadmin|devops|lead|director)"
)
PEOPLES = _set(
    "american argentinian australian austrian belgian brazilian british bulgarian canadian catalan chilean chinese "
    "christian colombian croatian cuban czech danish dutch egyptian english estonian european ethiopian filipino "
    "finnish french german greek hindu hungarian icelandic indian indonesian iranian iraqi irish israeli italian "
    "jamaican japanese jewish kenyan korean latvian lebanese lithuanian malaysian mexican moroccan muslim nigerian "
    "norwegian pakistani peruvian polish portuguese romanian russian scottish serbian singaporean slovak slovenian "
    "spanish swedish swiss syrian taiwanese thai tunisian turkish ukrainian venezuelan vietnamese welsh buddhist "
    "catholic protestant hungry tired sorry done ready sure happy sad busy late sick vegan vegetarian "
    "pescatarian married single"
)
_PLACE = r"(?:lives?|living|based|located|resid(?:e|es|ing)|stay(?:s|ing)?)"
RULES: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (key, any_case(pattern))
    for key, pattern in (
        ("name", r"my (?:full |real )?name(?:'s| is) (?P<x>.+)|name(?:'s| is|:) (?P<y>.+)"),
        (
            "called",
            r"(?:please |people |everyone |just |you can |to be )*(?:calls? me|called) (?P<x>.+)|goe?s? by (?P<y>.+)",
        ),
        ("lives", rf"(?:don't |doesn't |to |am |is )*{_PLACE}(?: \w+ly)? (?:in|at|near|on|close to) (?P<x>.+)"),
        ("lives", r"(?:moved|relocated)(?: back)?(?: from (?P<old>.+?))? to (?P<x>.+)"),
        ("from", r"(?:am |is |come |comes |originally )+from (?P<x>.+)"),
        ("grew up", r"(?:grew up|was raised) (?:in|on|near|at) (?P<x>.+)"),
        ("born when", r"(?:was |were )?born (?:in|on|at) (?P<x>.*\d.*)"),
        ("born where", r"(?:was |were )?born (?:in|on|at) (?P<x>.+)"),
        ("works as", r"(?:don't |doesn't |am |is )*work(?:s|ing)? as (?:an? |the )?(?P<x>.+)"),
        ("works at", r"(?:don't |doesn't |am |is )*work(?:s|ing)? (?:at|for|with) (?P<x>.+)"),
        ("works at", r"(?:joined|started (?:working )?at|got an? (?:new )?job (?:at|with)) (?P<x>.+)"),
        (
            "works at",
            r"(?:have )?(?:quit|left|resigned from) (?P<x>(?-i:[A-Z])[\w&.-]*(?-i: [A-Z][\w&.-]*)?)(?: .+)?",
        ),
        (
            "{k}'s port",
            r"(?:the |our |my )?(?P<k>[\w -]{2,30}?) (?:is |are )?(?:runs?|running|listens?|listening) on port "
            r"(?P<x>\d+)",
        ),
        ("works at", r"(?:quit|left|resigned from) (?:my|the|their) job(?: at (?P<x>.+))?"),
        ("works at", r"my (?:new |current )?(?:company|employer)(?:'s| is)(?: called)? (?P<x>.+)"),
        ("works in (place)", r"(?-i:(?:am |is )?(?:work|works|working) in (?P<x>(?:the )?[A-Z].+))"),
        ("works in (field)", r"(?:am |is )?work(?:s|ing)? in (?P<x>.+)"),
        ("works how", r"work(?:s|ing)? (?P<x>remotely|part-time|full-time|nights|night shifts|weekends|from home)\b.*"),
        ("works as", rf"(?:am |is |not )+(?:an? |the )(?P<x>(?:[\w-]+ ){{0,4}}{_JOBS})\b.*"),
        (
            "works as",
            r"my (?:new |current )?(?:job|job title|title|role|profession|occupation)(?:'s| is) "
            r"(?:an? |the )?(?P<x>.+)",
        ),
        ("studies at", r"(?:am |is )?stud(?:y|ies|ying) (?:at|in) (?P<x>.+)"),
        ("studies", r"(?:am |is )?stud(?:y|ies|ying) (?P<x>.+?)(?: at .+)?"),
        ("teaches {x}", r"(?:am |is )?teach(?:es|ing)? (?!at\b|in\b)(?P<x>.+)"),
        ("age", r"(?:am |is |turned )+(?P<x>\d{1,3})(?: years old| y/?o| today)?\b[^%]*|my age(?:'s| is) (?P<y>\d+).*"),
        ("diet", r"(?:am |is |not |an? )+(?P<x>vegan|vegetarian|pescatarian|carnivore|omnivore)\b.*"),
        ("marital status", r"(?:am |is |not |got |have got )+(?P<x>married|single|divorced|engaged|widowed)\b.*"),
        ("allergic to {x}", r"(?:am |is |not )+allergic to (?P<x>.+)"),
        ("pronouns", r"my pronouns (?:are|is|:) (?P<x>.+)|uses? (?P<y>\w+/\w+(?:/\w+)?) pronouns"),
        ("time zone", r"(?:am |is )+(?:in|on) (?:the )?(?P<x>[ECMP]S?T|UTC\S*|GMT\S*|CES?T|BST|IST|JST)(?: time.*)?"),
        ("time zone", r"my time ?zone(?:'s| is|:) (?P<x>.+)"),
        ("speaks {x}", r"speaks? (?P<x>[\w ]+)|(?:am |is )?fluent in (?P<y>[\w ]+)"),
        ("new to {x}", r"(?:am |is |not )+new to (?P<x>.+)"),
        (
            "daily {v}",
            r"(?:usually |normally |always |typically )*(?P<v>start|finish|wake up|get up|leave|go to bed|go for a run|"
            r"have lunch)s?(?: \w+)? (?:at|by|around|before|after) (?P<x>.+)",
        ),
    )
)
_ONE_PERSON = (  # who somebody has one of at a time
    r"(?:manager|boss|team ?lead|supervisor|mentor|wife|husband|spouse|partner|fianc[eé]e?|girlfriend|boyfriend|"
    r"roommate|dentist|doctor|landlord|landlady)"
)
_FROM_WHEN = r"(?:,? (?:since|as of|starting|from) .+)?"
_NAMED = r"(?-i:[A-Z][\w'-]+(?: [A-Z][\w'-]+){0,2})"
OF_KIN = tuple(
    (key, any_case(pattern))
    for key, pattern in (
        ("my {k}'s name", rf"my (?:new |current )?(?P<k>{_ONE_PERSON})(?:'s| is) (?P<x>{_NAMED}){_FROM_WHEN}"),
        (
            "my {k}'s name",
            rf"(?P<x>{_NAMED}) (?:is|became|isn't) my (?:new |current )?(?P<k>{_ONE_PERSON}){_FROM_WHEN}",
        ),
        (
            "my {k}'s name",
            rf"my (?P<k>{_ONE_PERSON}) and I (?:have |just |recently )*(?:broke up|split up|separated)\b.*",
        ),
        (
            "parted",
            rf"(?P<x>{_NAMED}) and I (?:have |just |recently )*(?:broke up|split up|separated|got divorced)\b.*",
        ),
        ("parted", rf"(?:have )?(?:broke up|split up) with (?P<x>{_NAMED})(?: .+)?"),
        ("parted", r"(?:have )?(?:broke up|split up|separated)(?: (?:last|yesterday|this)\b.*)?"),
        (
            "my {k}'s name",
            rf"(?:got|have|have got) a new (?P<k>{_ONE_PERSON})(?:,|:| called| named)? (?P<x>{_NAMED})",
        ),
        (
            "my {k}'s name",
            rf"my (?:new |current )?(?P<k>{_ONE_PERSON})"
            r"(?:'s name is|'s called| is called| is named|'s named) (?P<x>.+)",
        ),
        (
            "my {k}'s name",
            rf"my (?P<k>(?:\w+ )??{_KIN})(?:'s name is|'s called| is called| is named|'s named) (?P<x>.+)",
        ),
        (
            "where my {k} lives",
            rf"my (?P<k>(?:\w+ )??{_KIN})(?: \w+)? (?:lives?|moved|relocated|is based)(?: back)? (?:in|to|at|"
            r"near) (?P<x>.+)",
        ),
        ("where my {k} works", rf"my (?P<k>(?:\w+ )??{_KIN})(?: \w+)? works? (?:at|for) (?P<x>.+)"),
        ("how old my {k} is", rf"my (?P<k>(?:\w+ )??{_KIN})(?: \w+)?(?:'s| is| turned| turns| are) (?P<x>\d+)\b.*"),
        (
            "what my {k} does",
            rf"my (?P<k>(?:\w+ )??{_KIN})(?: \w+)?(?:'s| is| are) (?:an? |the )(?P<x>(?:\w+ ){{0,3}}{_JOBS})\b.*",
        ),
        (
            "how many {k}",
            rf"have (?:got )?(?P<x>no|two|three|four|five|six|seven|\d+|an?|one) (?:\w+ )??(?P<k>{_KIN})\b.*",
        ),
    )
)
PARTNERS = frozenset(  # of whom one is left when a pair parts
    f"my {who}'s name" for who in _set("wife husband spouse partner fiancé fiancée fiance fiancee girlfriend boyfriend")
)
_ONE_EACH = (  # what everybody has one of
    r"(?:first name|last name|middle name|username|birthday|e-?mail(?: address)?|phone(?: number)?|address|home ?town|"
    r"city|country|editor|ide|shell|terminal|os|operating system|native language|mother tongue|blood type|shoe size|"
    r"height|day off|work(?:ing)? hours|office hours|(?:python|node|java|ruby|php) version|dentist|doctor)"
)
_ONE_BY_NAME = r"(?:team|laptop|computer|machine|keyboard|stack|tech stack|degree|major|car|phone|school|university)"
MINE = any_case(
    rf"my (?:new |current )?(?P<k>{_ONE_EACH})(?:'s| is| are|:) (?P<x>.+)|"
    rf"my (?:new |current )?(?P<j>{_ONE_BY_NAME})(?:'s| is|:) "
    r"(?P<y>(?:called |an? |the )\S.+|(?-i:[A-Z])\S*(?: \S+){0,3})"
)
FAVOURITE = any_case(r"(?:my )?(?:personal |all-time )*(?P<k>(?:least )?favou?rite [\w ]{1,40}?) (?:is|are) (?P<x>.+)")
TASTE = any_case(
    r"(?:don't |doesn't |do not |does not |not |no longer |stopped |quit )*(?:really |much )?"
    r"(?:likes?|liking|loves?|enjoys?|adores?|hates?|dislikes?|detests?|loathes?|can't stand|cannot stand|"
    r"(?:is |am )?(?:not )?an? (?:big |huge )?fan of|(?:is |am )?fond of) (?P<x>.+)"
)
PREFERS = any_case(
    r"(?:don't |doesn't |no longer |would |'d )*(?:prefers?|favou?rs?|rather|preference is|my preference is)"
    r"(?: (?:have|use|write|work with|see|get|using|to use|to have))? (?P<x>.+)"
)
HABIT = any_case(
    r"(?:(?:don't|doesn't|do not|does not|always|never|usually|normally|typically|rarely|mostly|often|no longer|"
    r"stopped|quit|gave up) )+(?P<v>[a-z]+) (?P<x>.+)"
)
USES = any_case(
    r"(?:don't |doesn't |am |is |have |no longer )*(?:uses?|using|runs?|running|on|"
    r"(?:switched|moved|changed|migrated|upgraded|updated|downgraded)(?: over| back)?(?: from (?P<old>.+?))? to|"
    r"develops? (?:in|on|with)|codes? in|programs? in|deploys? (?:on|to|with)|hosts? on|"
    r"builds? with|stopped using|quit using) (?P<x>.+)"
)
VERSION = any_case(r"\s+v?\d[\w.]*$")
SMALL = frozenset(["a", "an", "the", "my", "our", "their", "his", "her", "very", "so", "much", "more", "too", "all"])
