"""Follow-ups that leave things out, count or compare: the second one, and methanol?, which is lighter?
See tests/followups.py."""

from __future__ import annotations

from tests.followups_form import FollowUp, said

__all__ = ["COMPARISON", "ELLIPSIS", "ORDINAL"]

ORDINAL: tuple[FollowUp, ...] = (
    FollowUp(
        "ordinal",
        said("Suggest a name for a coffee cart", ">1. Bean There\n2. Grounds Control\n3. The Daily Drip"),
        "I like the second one",
        ("grounds", "control"),
        ("bean", "drip"),
    ),
    FollowUp(
        "ordinal",
        said("Which library should I use for dates in the browser?", ">You could use Luxon, date-fns or Day.js."),
        "show me how the last one parses ISO strings",
        ("day.js",),
        ("luxon",),
    ),
    FollowUp(
        "ordinal",
        said("I can deploy on Fly.io or on Hetzner"),
        "what would the latter cost per month?",
        ("hetzner",),
        ("fly.io",),
    ),
    FollowUp(
        "ordinal",
        said("I'm torn between Lisbon and Porto for May"),
        "is the former very crowded then?",
        ("lisbon",),
        ("porto",),
    ),
    FollowUp(
        "ordinal",
        said(
            "How do we make the report faster?",
            ">Option A: a materialized view. Option B: a summary table filled by a trigger.",
        ),
        "let's go with option B",
        ("summary|trigger",),
        ("materialized",),
    ),
    FollowUp(
        "ordinal",
        said("There are three endpoints: /users, /orders and /refunds"),
        "add pagination to the first one",
        ("users",),
        ("refunds",),
    ),
    FollowUp(
        "ordinal",
        said(
            "Write a haiku and a limerick about fog",
            ">Grey wool on the quay / ... and: There once was a captain from Cork ...",
        ),
        "the first is fine, make the other one funnier",
        ("limerick",),
        ("captain",),
    ),
    FollowUp(
        "ordinal",
        said("I have two cats, Miso and Tofu. Miso sleeps all day."),
        "the other one scratches the sofa, what can I do",
        ("tofu",),
    ),
    FollowUp(
        "ordinal",
        said("How do I bake a sponge?", ">First, preheat the oven. Second, whisk the eggs. Third, fold in the flour."),
        "how long does the third step take?",
        ("flour",),
        ("eggs",),
    ),
    FollowUp(
        "ordinal",
        said("Our pipelines are called ingest, scrub and publish"),
        "the middle one fails every sunday, why might that be",
        ("scrub",),
    ),
    FollowUp(
        "ordinal",
        said("We got quotes from Alvarez & Sons, Brightroof and Tilecraft"),
        "draft a polite refusal to the first two",
        ("alvarez", "brightroof"),
        ("tilecraft",),
    ),
    FollowUp(
        "ordinal",
        said("Name three films by Kurosawa", ">Ran, Ikiru, and High and Low."),
        "who stars in the second?",
        ("ikiru",),
        ("ran",),
    ),
    FollowUp(
        "ordinal",
        said("compare quicksort with heapsort", ">Quicksort is faster on average, heapsort never degrades."),
        "how much extra memory does the second need?",
        ("heapsort",),
        ("quicksort",),
    ),
    FollowUp(
        "ordinal",
        said("The two candidates are Nadia Rahman and Joel Petit"),
        "send the second candidate a friendly rejection",
        ("joel|petit",),
        ("nadia",),
    ),
    FollowUp(
        "ordinal",
        said(
            "The orders page is slow",
            ">You could 1) cache the query, 2) add an index on created_at, or 3) move it to a worker.",
        ),
        "do number 2",
        ("index",),
        ("worker",),
    ),
    FollowUp(
        "ordinal",
        said("I can play the nocturne in E flat or the one in C sharp minor"),
        "the second one is sadder, right?",
        ("sharp",),
        ("flat",),
    ),
    FollowUp(
        "ordinal",
        said("List the steps to renew a passport", ">1. Book an appointment\n2. Get a biometric photo\n3. Pay the fee"),
        "where can I do step two on a sunday?",
        ("photo",),
        ("fee",),
    ),
    FollowUp(
        "ordinal",
        said("My options are a heat pump, a pellet boiler and district heating"),
        "what's the catch with the last option?",
        ("district",),
        ("pellet",),
    ),
    FollowUp(
        "ordinal",
        said("We run three suites: unit, contract and smoke", ">And all of them on each push?"),
        "yes. run the last one nightly only",
        ("smoke",),
        ("contract",),
    ),
    FollowUp(
        "ordinal",
        said("I read Dune and Hyperion over the holidays"),
        "which prizes did the first one win?",
        ("dune",),
        ("hyperion",),
    ),
    FollowUp(
        "ordinal",
        said("Which beaches near Cádiz are quiet?", ">La Caleta, Santa María del Mar and Cortadura."),
        "how do I get to the third one by bus?",
        ("cortadura",),
        ("caleta",),
    ),
)

ELLIPSIS: tuple[FollowUp, ...] = (
    FollowUp(
        "ellipsis",
        said("How do I reverse a list in Python?", ">Call reversed() or slice it with [::-1]."),
        "and a string?",
        ("reverse",),
    ),
    FollowUp("ellipsis", said("What's the boiling point of ethanol?", ">78.4 °C."), "and methanol?", ("boiling",)),
    FollowUp("ellipsis", said("Convert 20 miles to kilometres", ">32.2 km."), "35?", ("miles|convert",)),
    FollowUp(
        "ellipsis",
        said("Write a unit test for parse_amount", ">Here is test_parse_amount_reads_cents."),
        "one for empty input too",
        ("parse_amount",),
    ),
    FollowUp("ellipsis", said("How long do I cook a soft egg?", ">Six minutes."), "hard?", ("egg|cook",)),
    FollowUp("ellipsis", said("Show me the open invoices of March", ">There are 14."), "april?", ("invoices",)),
    FollowUp("ellipsis", said("What does the Rijksmuseum cost?", ">22.50 euros."), "for kids?", ("rijksmuseum",)),
    FollowUp(
        "ellipsis",
        said("Add a high-contrast theme to the settings page"),
        "Use CSS variables, not a second stylesheet",
        ("theme",),
    ),
    FollowUp("ellipsis", said("When was the Hermitage founded?", ">In 1764."), "by whom?", ("hermitage",)),
    FollowUp(
        "ellipsis", said("I need a logger for the worker process"), "in JSON please", ("logger|log|logs|logging",)
    ),
    FollowUp(
        "ellipsis",
        said("Translate 'good morning' into Finnish", ">Hyvää huomenta."),
        "Estonian?",
        ("morning|translate",),
    ),
    FollowUp(
        "ellipsis",
        said("Why does my bread collapse after baking?", ">It is probably overproofed."),
        "how can I tell?",
        ("overproofed|bread",),
    ),
    FollowUp(
        "ellipsis",
        said("Is there a direct bus from Split to Mostar?", ">Yes, four a day."),
        "how long?",
        ("bus|mostar",),
    ),
    FollowUp("ellipsis", said("Create an index on orders.customer_id", ">Done."), "concurrently", ("index",)),
    FollowUp("ellipsis", said("Which scale fits over a Dm7 chord?", ">D dorian."), "over G7?", ("scale",)),
    FollowUp(
        "ellipsis",
        said("Delete all branches merged before June", ">Shall I? 31 would go."),
        "yes, but keep the release ones",
        ("branches",),
    ),
    FollowUp("ellipsis", said("plot revenue by week", ">Here is the plot."), "by country, stacked", ("revenue|plot",)),
    FollowUp("ellipsis", said("Who painted The Night Watch?", ">Rembrandt."), "in which year?", ("night", "watch")),
    FollowUp(
        "ellipsis", said("We need a Helm chart for the mail relay"), "Add a liveness probe", ("mail|relay|helm|chart",)
    ),
    FollowUp(
        "ellipsis",
        said("Give me a synonym for 'reluctant'", ">Hesitant."),
        "something more formal?",
        ("synonym|reluctant",),
    ),
    FollowUp(
        "ellipsis", said("How many vacation days does Jonas have left?", ">Eleven."), "and Miriam?", ("vacation|days",)
    ),
    FollowUp(
        "ellipsis",
        said("find me a vegan restaurant near the station in Ghent", ">Lekker GEC is two minutes away."),
        "open on mondays?",
        ("restaurant|lekker",),
    ),
)

COMPARISON: tuple[FollowUp, ...] = (
    FollowUp(
        "comparison",
        said("Should I use REST or gRPC between our services?", ">Both would work."),
        "which is easier to debug?",
        ("rest", "grpc"),
    ),
    FollowUp(
        "comparison",
        said("I'm looking at the Sony A7 IV and the Nikon Z6 III"),
        "which one is lighter?",
        ("sony|a7", "nikon|z6"),
    ),
    FollowUp(
        "comparison",
        said("Write a function that validates IBANs", ">Here it is."),
        "now the same for BICs",
        ("function|validates",),
    ),
    FollowUp(
        "comparison",
        said("Add a docstring with an example to load_config", ">Added."),
        "do the same for save_config",
        ("docstring",),
    ),
    FollowUp(
        "comparison", said("The ferry from Bari to Patras takes 16 hours"), "is flying cheaper?", ("ferry|bari|patras",)
    ),
    FollowUp("comparison", said("We picked Kafka for the event bus"), "would NATS be simpler?", ("kafka|event",)),
    FollowUp(
        "comparison",
        said("This chili has two habaneros in it and nobody could finish a bowl"),
        "make a milder version",
        ("chili",),
    ),
    FollowUp(
        "comparison",
        said("I know the piano version of Clair de lune"),
        "is the orchestral one slower?",
        ("clair|lune",),
    ),
    FollowUp(
        "comparison",
        said("I ran my first 5k in 27 minutes", ">Well done!"),
        "is that better than average at 40?",
        ("5k|27",),
    ),
    FollowUp("comparison", said("We provisioned gp2 volumes for the cluster"), "are gp3 ones faster?", ("volumes",)),
    FollowUp(
        "comparison",
        said("Set up a linter for the Go code", ">golangci-lint runs on each commit now."),
        "same thing for the TypeScript part",
        ("linter",),
    ),
    FollowUp(
        "comparison",
        said("The rooms at the Bellavista are 180 a night"),
        "find me something cheaper nearby",
        ("bellavista|rooms|room",),
    ),
    FollowUp(
        "comparison",
        said("Pandas takes 90 seconds to load the parquet files"),
        "would polars be any quicker?",
        ("parquet|load|pandas",),
    ),
    FollowUp(
        "comparison",
        said("I've drafted an intro of 400 words about tides", ">It reads well."),
        "give me a shorter one",
        ("intro",),
    ),
    FollowUp(
        "comparison",
        said("Compare Anki with Quizlet", ">Anki is free and spaced, Quizlet is easier to start with."),
        "and which has better offline support?",
        ("anki", "quizlet"),
    ),
    FollowUp(
        "comparison",
        said("Ana finished the audit in two days, Pieter in five"),
        "why was he so much slower?",
        ("pieter",),
    ),
    FollowUp("comparison", said("Add a tooltip to the save button", ">Done."), "do likewise for cancel", ("tooltip",)),
    FollowUp(
        "comparison",
        said("We bought arabica beans from Huehuetenango"),
        "what would be a darker alternative?",
        ("arabica|beans|huehuetenango",),
    ),
    FollowUp(
        "comparison",
        said("Vim or Emacs for writing LaTeX?", ">Emacs with AUCTeX, if you have a month."),
        "would you choose differently for Markdown?",
        ("vim|emacs",),
    ),
    FollowUp("comparison", said("My essay uses MLA citations"), "how does Chicago differ?", ("mla",)),
    FollowUp(
        "comparison",
        said("The staging cluster has four nodes", ">And eight in production."),
        "why is production twice as big",
        ("staging|cluster",),
    ),
)
