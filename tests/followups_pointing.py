"""Follow-ups that point back with a word: it and she, that and these, the kitten. See tests/followups.py."""

from __future__ import annotations

from tests.followups_form import FollowUp, said

__all__ = ["DEFINITE", "DEMONSTRATIVE", "PRONOUN"]

PRONOUN: tuple[FollowUp, ...] = (
    FollowUp(
        "pronoun",
        said("I'm writing a rate limiter for our public API", ">Sure, which language?"),
        "python. does it need to be thread-safe?",
        ("rate", "limiter"),
    ),
    FollowUp(
        "pronoun",
        said("The nightly backup script fails with exit code 3"),
        "run it again with -v",
        ("backup", "script"),
    ),
    FollowUp(
        "pronoun",
        said("I have a dataframe called sales with one row per order", ">Okay, what should happen with it?"),
        "group it by month",
        ("sales",),
    ),
    FollowUp(
        "pronoun",
        said("My sister Ines starts her new job in Rotterdam on Monday"),
        "what could I get her as a small gift?",
        ("ines|sister",),
    ),
    FollowUp(
        "pronoun",
        said("We hired two interns for the summer, Bao and Lucía"),
        "which project should they start on?",
        ("interns|bao",),
    ),
    FollowUp(
        "pronoun",
        said("I bought a cast iron skillet at a flea market and the bottom is rusty all over"),
        "how do I season it?",
        ("skillet",),
        ("market",),
    ),
    FollowUp(
        "pronoun",
        said("The Terraform module for the VPC creates six subnets", ">Right, two per availability zone."),
        "does it also create a NAT gateway?",
        ("module|terraform",),
    ),
    FollowUp(
        "pronoun",
        said(
            "Please summarise this report on soil erosion in Thessaly",
            ">In short: erosion has doubled since 1980, mostly on slopes that are ploughed.",
        ),
        "who wrote it?",
        ("report",),
    ),
    FollowUp(
        "pronoun",
        said("Our landlord Mr. Okafor wants to raise the rent by 12 percent"),
        "can he do that twice in one year?",
        ("okafor|landlord",),
    ),
    FollowUp(
        "pronoun",
        said("I'm learning Bach's first cello suite", ">A lovely piece to start with."),
        "how long does it usually take to play from start to end?",
        ("cello", "suite"),
    ),
    FollowUp(
        "pronoun",
        said("Two tests are flaky: test_login_redirect and test_logout_clears_cookie"),
        "skip them on windows for now",
        ("tests|test_login_redirect",),
    ),
    FollowUp(
        "pronoun",
        said("Grandma's dumplings always fall apart in boiling water", ">Perhaps the dough is too wet."),
        "should I steam them instead?",
        ("dumplings",),
        ("dough",),
    ),
    FollowUp(
        "pronoun",
        said("I wrote a cover letter for the curator position in Graz"),
        "could you make it sound less stiff",
        ("cover", "letter"),
    ),
    FollowUp(
        "pronoun",
        said("the users table has 40 million rows now", ">That is a lot for a single node."),
        "can we partition it by signup date?",
        ("users", "table"),
        ("node",),
    ),
    FollowUp(
        "pronoun",
        said(
            "Tell me about Ada Lovelace",
            ">She was an English mathematician who wrote about Babbage's Analytical Engine.",
        ),
        "when did she die?",
        ("ada|lovelace",),
        ("babbage",),
    ),
    FollowUp(
        "pronoun",
        said("I'd like a new rain jacket for cycling", ">What matters most to you?"),
        "it should weigh under 300 g",
        ("jacket",),
    ),
    FollowUp(
        "pronoun",
        said("Create a Dockerfile for the billing service", ">Here is one in two stages."),
        "pin its base image to bookworm",
        ("dockerfile",),
    ),
    FollowUp(
        "pronoun",
        said("Marek reviewed my pull request and left nine comments"),
        "should I answer him point by point?",
        ("marek",),
    ),
    FollowUp(
        "pronoun",
        said("The tomatoes on my balcony have yellow leaves", ">That may be a lack of magnesium."),
        "how often should I water them?",
        ("tomatoes",),
    ),
    FollowUp(
        "pronoun",
        said("Our Grafana dashboard needs 30 seconds to load", ">How many panels are there?"),
        "about sixty. can we cache it somehow",
        ("dashboard",),
    ),
    FollowUp(
        "pronoun",
        said("The villain in my novel, Corvina, burns the archive in chapter nine"),
        "does she need a better motive?",
        ("corvina|villain",),
    ),
    FollowUp(
        "pronoun",
        said("My parents want to see the northern lights next winter", ">Tromsø in January is a safe bet."),
        "do they need a guide there?",
        ("parents",),
    ),
)

DEMONSTRATIVE: tuple[FollowUp, ...] = (
    FollowUp(
        "demonstrative",
        said("Let's add a retry decorator around the payment client", ">Done, with exponential backoff."),
        "add unit tests for that",
        ("retry|decorator",),
    ),
    FollowUp(
        "demonstrative",
        said("I could take the night train from Zurich to Zagreb"),
        "how much does that cost roughly?",
        ("train",),
    ),
    FollowUp(
        "demonstrative", said("We store session tokens in localStorage"), "is that safe?", ("tokens", "localstorage")
    ),
    FollowUp(
        "demonstrative",
        said("My recipe says to bloom the gelatine in cold water first"),
        "why is that necessary?",
        ("gelatine",),
    ),
    FollowUp(
        "demonstrative",
        said("Three migrations touch the orders table: 0041, 0042 and 0043"),
        "squash those into one",
        ("migrations|0041",),
    ),
    FollowUp(
        "demonstrative",
        said("I found two laptops, the Framework 13 and a ThinkPad T14", ">Both are solid."),
        "do these run Linux without trouble?",
        ("laptops|framework",),
    ),
    FollowUp(
        "demonstrative",
        said("Our CI takes 48 minutes on every push", ">You could split the test job."),
        "what else could bring that down?",
        ("ci|48",),
    ),
    FollowUp(
        "demonstrative",
        said("I'm thinking of opening the novel with a weather report"),
        "is this a cliché?",
        ("weather", "report"),
    ),
    FollowUp(
        "demonstrative",
        said("There's a function called flatten_tree in utils/tree.py"),
        "rename that function to walk_tree",
        ("flatten_tree",),
    ),
    FollowUp("demonstrative", said("The band plays most songs in 7/8"), "how do I count that?", ("7/8",)),
    FollowUp(
        "demonstrative",
        said("I set vm.swappiness to 1 on the database hosts", ">Noted."),
        "could this cause the OOM kills we see?",
        ("vm.swappiness|swappiness",),
    ),
    FollowUp(
        "demonstrative",
        said("My sourdough starter smells like nail polish remover"),
        "is that normal",
        ("starter|smells|smell",),
    ),
    FollowUp(
        "demonstrative",
        said("Rosa and Emil both have their birthdays in March", ">How nice."),
        "can you find a saturday between those?",
        ("birthdays",),
    ),
    FollowUp(
        "demonstrative",
        said("I want to visit the Plitvice lakes in February"),
        "is that a good month to go?",
        ("february",),
    ),
    FollowUp(
        "demonstrative",
        said("The column discount_pct holds values above 100"),
        "write a check constraint to prevent this",
        ("discount_pct",),
    ),
    FollowUp(
        "demonstrative",
        said("I have five unread letters from the tax office"),
        "what's the quickest way to deal with these?",
        ("letters",),
    ),
    FollowUp(
        "demonstrative",
        said("The regex ^\\d{4}-\\d{2}$ should match a month", ">It does."),
        "now make this also accept a slash",
        ("regex",),
    ),
    FollowUp(
        "demonstrative",
        said("We moved the feature flags into a YAML file", ">Good, then they can be reviewed."),
        "does that mean a deploy for every change?",
        ("flags|yaml",),
    ),
    FollowUp(
        "demonstrative",
        said("I inherited a Singer 201K sewing machine from my aunt"),
        "are spare parts for this still made?",
        ("singer|sewing",),
        ("aunt",),
    ),
    FollowUp(
        "demonstrative",
        said("Both log shippers, Vector and Fluent Bit, drop events under load"),
        "which of those is easier to tune?",
        ("vector|shippers",),
    ),
    FollowUp(
        "demonstrative",
        said("My ragù simmers on the hob for an hour before it goes into the oven"),
        "this takes me half a day, is there a shortcut?",
        ("ragù",),
    ),
)

DEFINITE: tuple[FollowUp, ...] = (
    FollowUp(
        "definite",
        said("I built a Streamlit app that shows bike counts per street"),
        "deploy the app to our internal server",
        ("streamlit|bike",),
    ),
    FollowUp(
        "definite", said("We got a Siamese kitten last week"), "how often should I feed the kitten?", ("siamese",)
    ),
    FollowUp(
        "definite",
        said("Please write a bash script that rotates nginx logs", ">Here it is: rotate.sh"),
        "make the script idempotent",
        ("bash|nginx|rotate.sh",),
    ),
    FollowUp(
        "definite",
        said("I'm reading The Magic Mountain by Thomas Mann", ">A good companion for a long winter."),
        "why is the book so long?",
        ("magic", "mountain"),
    ),
    FollowUp(
        "definite",
        said("We use a Redis cluster with six nodes for sessions"),
        "what happens to the cluster when two nodes die?",
        ("redis",),
    ),
    FollowUp(
        "definite",
        said("I booked a room at Hotel Lindenhof in Bregenz"),
        "does the hotel have parking?",
        ("lindenhof",),
    ),
    FollowUp(
        "definite",
        said("I made a spreadsheet to track what the choir members owe", ">Good idea."),
        "sort the sheet by amount",
        ("choir|spreadsheet",),
    ),
    FollowUp(
        "definite",
        said("The CSV importer chokes on semicolons", ">It assumes commas in read_rows."),
        "rewrite the importer with polars",
        ("csv",),
    ),
    FollowUp(
        "definite",
        said("I'd like to cook the Thai green curry from last night again"),
        "can I freeze the curry?",
        ("thai|green",),
    ),
    FollowUp(
        "definite",
        said("My thesis is about the salt trade in the Hanseatic League", ">Interesting!"),
        "suggest a title for the thesis",
        ("salt|hanseatic",),
    ),
    FollowUp(
        "definite",
        said("We have a Kotlin service called parcel-tracker"),
        "the service leaks memory, where do I look first?",
        ("parcel-tracker|kotlin",),
    ),
    FollowUp(
        "definite",
        said("I want to buy a used Yamaha Clavinova", ">What is your budget?"),
        "about 900. how do I get the piano up to the third floor?",
        ("yamaha|clavinova",),
    ),
    FollowUp(
        "definite",
        said("there's a bug in the checkout form: the zip code isn't validated"),
        "fix the bug and add a test",
        ("zip|checkout",),
    ),
    FollowUp(
        "definite",
        said("My cousin Yusuf is getting married on a boat in June"),
        "what do I wear to the wedding?",
        ("yusuf|cousin|boat",),
    ),
    FollowUp(
        "definite",
        said("Train a small classifier on the support tickets", ">Trained: 0.81 accuracy on the held-out part."),
        "what does the model get wrong most often?",
        ("classifier|tickets",),
    ),
    FollowUp(
        "definite",
        said("I'm planning a road trip along the Adriatic coast in a campervan"),
        "how many days should the trip take?",
        ("adriatic|road",),
    ),
    FollowUp(
        "definite",
        said("There's a contour plot in my paper, figure 4"),
        "change the colour map to viridis",
        ("plot|figure",),
    ),
    FollowUp(
        "definite",
        said("We alert on the p99 latency of the search endpoint", ">At 500 ms, yes."),
        "raise the threshold to 800 ms",
        ("latency|p99|alert",),
    ),
    FollowUp(
        "definite",
        said("I recorded a demo song with four vocal tracks"),
        "the chorus sounds muddy, any ideas?",
        ("song|demo",),
    ),
    FollowUp(
        "definite",
        said("Our Postgres replica in Frankfurt is nine hours behind"),
        "how do I rebuild the replica from scratch?",
        ("postgres|frankfurt",),
    ),
    FollowUp(
        "definite",
        said("I ordered a standing desk from Nordform", ">When will it come?"),
        "the desk came today, with a scratch. what should I write to them?",
        ("standing|nordform",),
    ),
)
