"""Follow-ups that reach into another conversation, or into what the assistant said. See tests/followups.py."""

from __future__ import annotations

from tests.followups_form import FollowUp, said

__all__ = ["CROSS_CONVERSATION", "TO_REPLY"]

CROSS_CONVERSATION: tuple[FollowUp, ...] = (
    FollowUp(
        "cross_conversation",
        said("I want to add a weekly digest mail", "New topic: I want to add a sales report"),
        "send it on mondays like in conversation #1",
        ("digest", "report"),
    ),
    FollowUp(
        "cross_conversation",
        said("I want to add an export button to the table view"),
        "what colour did we give the button from last week?",
        ("export",),
        days=7,
    ),
    FollowUp(
        "cross_conversation",
        said("I want to cook a pumpkin soup with ginger", "New topic: plan my week at work"),
        "remember the soup from conversation #1? I want it vegan",
        ("pumpkin",),
    ),
    FollowUp(
        "cross_conversation",
        said("I want to build an inventory app on CockroachDB", "New topic: I want to build a booking site"),
        "let's use the same database as in conversation #1",
        ("cockroachdb|inventory",),
    ),
    FollowUp(
        "cross_conversation",
        said("I want to refactor the mail parser", ">Let's begin with the headers."),
        "let's continue with yesterday's refactoring",
        ("mail|parser",),
        days=1,
    ),
    FollowUp(
        "cross_conversation",
        said("Help me choose a tent for two people", ">The Hubba Hubba is light and roomy."),
        "what was the tent you recommended two weeks ago?",
        ("hubba",),
        days=14,
    ),
    FollowUp(
        "cross_conversation",
        said(
            "The login page answers with a 500",
            "New topic: the avatar upload times out, so I raised the nginx body limit",
            "New topic: the CSV upload times out",
        ),
        "apply the fix from conversation #2 here too",
        ("avatar|nginx",),
    ),
    FollowUp(
        "cross_conversation",
        said("I want to write a eulogy for my uncle", "New topic: convert my CV to LaTeX"),
        "back to the first thing we talked about",
        ("eulogy",),
    ),
    FollowUp(
        "cross_conversation",
        said("I'm training for the Berlin marathon", "New topic: my printer prints pink stripes"),
        "back to the marathon, what pace should I run?",
        ("berlin",),
    ),
    FollowUp(
        "cross_conversation",
        said(
            "Write a birthday poem for Helene",
            ">Roses are late this year ...",
            "New topic: translate our menu into French",
            ">Done.",
        ),
        "now one for Karim, like in conversation #1",
        ("poem|helene|birthday",),
    ),
    FollowUp(
        "cross_conversation",
        said("I want to add a map of bike thefts to the city portal"),
        "is the map from the other day finished?",
        ("bike|thefts",),
        days=3,
    ),
    FollowUp(
        "cross_conversation",
        said(
            "I want to add a login form",
            "New topic: I want to add a search bar with autocomplete",
            "New topic: I want to add a tag picker",
        ),
        "make it work like the one in conversation #2",
        ("search", "tag"),
    ),
    FollowUp(
        "cross_conversation",
        said("The kitchen renovation has a budget of 18,000", "New topic: plan a trip to Gdańsk"),
        "what did I say about the budget in conversation #1?",
        ("kitchen|renovation",),
    ),
    FollowUp(
        "cross_conversation",
        said(
            "I want to write the release notes for 4.2",
            "Actually, let's fix the broken links first",
            ">All 12 links work again.",
        ),
        "okay, back to the release notes. keep them short",
        ("4.2",),
    ),
    FollowUp(
        "cross_conversation",
        said("I'm writing a grant proposal about peat bogs", "New topic: my bike chain slips under load"),
        "where did we leave off with the proposal?",
        ("grant|peat",),
    ),
    FollowUp(
        "cross_conversation",
        said("Nora recommended a podcast about container ships"),
        "what was the podcast Nora told me about?",
        ("container|ships",),
        days=5,
    ),
    FollowUp(
        "cross_conversation",
        said("We compared three index types: btree, brin and hash", ">brin is tiny, btree is the safe choice."),
        "which of the index types from last week fits a log table?",
        ("btree|brin|hash",),
        days=7,
    ),
    FollowUp(
        "cross_conversation",
        said(
            "I picked a palette of ochre and petrol blue for the flyer",
            "New topic: I want to design a poster for the fair",
        ),
        "use the palette from conversation #1",
        ("ochre|flyer",),
    ),
    FollowUp(
        "cross_conversation",
        said("Let's set up Prometheus on the edge nodes", "New topic: rename the repo to harbour"),
        "resume the first conversation",
        ("prometheus",),
    ),
    FollowUp(
        "cross_conversation",
        said("I want to learn the Lydian mode on guitar", "New topic: my washing machine stops in the middle"),
        "can we go back to what we did before the washing machine?",
        ("lydian",),
    ),
    FollowUp(
        "cross_conversation",
        said(
            "I'm writing an essay on brutalism",
            "Switching to my tax return: which form is for rent income?",
            ">Annex V.",
        ),
        "ok, continue with the essay",
        ("brutalism",),
    ),
)

TO_REPLY: tuple[FollowUp, ...] = (
    FollowUp(
        "to_reply", said("How can I speed up this page?", ">You could lazy-load the images."), "do that", ("images",)
    ),
    FollowUp(
        "to_reply",
        said("Why is the build red?", ">The linter complains about an unused import in app/routes.py."),
        "remove it",
        ("import",),
    ),
    FollowUp(
        "to_reply",
        said("What should I read next?", ">I'd recommend Piranesi by Susanna Clarke."),
        "how long is it?",
        ("piranesi",),
    ),
    FollowUp(
        "to_reply",
        said("Any idea for dinner?", ">How about shakshuka with feta?"),
        "sounds good, what do I need for it?",
        ("shakshuka",),
    ),
    FollowUp(
        "to_reply",
        said("Where should I put the cache?", ">A sidecar running Varnish would be simplest."),
        "how much memory does that need?",
        ("varnish|sidecar",),
    ),
    FollowUp(
        "to_reply",
        said("Which instrument is easy for a six year old?", ">Many start with a ukulele."),
        "are they expensive?",
        ("ukulele|ukuleles",),
    ),
    FollowUp(
        "to_reply",
        said("My Python script is slow", ">Line 42 calls sorted() on every pass of the loop."),
        "move it out of the loop",
        ("sorted",),
    ),
    FollowUp(
        "to_reply",
        said("Any museum in Leipzig worth seeing?", ">The Grassi Museum, above all for its ceramics."),
        "is it closed on mondays?",
        ("grassi",),
    ),
    FollowUp(
        "to_reply",
        said("how do i undo the last commit", ">Run git reset --soft HEAD~1."),
        "what does the flag do?",
        ("soft|reset",),
    ),
    FollowUp(
        "to_reply",
        said("Which metric should we track?", ">I suggest weekly active teams."),
        "why not monthly?",
        ("active|teams",),
    ),
    FollowUp(
        "to_reply", said("Draft a tagline for a cat café", ">Paws for coffee."), "make it longer", ("tagline|paws",)
    ),
    FollowUp(
        "to_reply",
        said("Can you find the memory leak?", ">The listener in ChartPanel.tsx is never removed."),
        "fix it",
        ("listener|leak",),
    ),
    FollowUp(
        "to_reply",
        said("Who could give the opening talk?", ">Dr. Imani Walsh spoke very well last year."),
        "do you have her address?",
        ("imani|walsh",),
    ),
    FollowUp(
        "to_reply",
        said("Is my SQL fine?", ">The join on customer_name can match twice."),
        "change that to customer_id",
        ("customer_name|join",),
    ),
    FollowUp(
        "to_reply",
        said("What's wrong with my pasta?", ">You probably rinse it, and so wash off the starch."),
        "why is that bad?",
        ("rinse|rinsing|starch",),
    ),
    FollowUp(
        "to_reply",
        said("Set up error tracking", ">I added Sentry to main.py with a sample rate of 0.2."),
        "raise the rate to 0.5",
        ("sample|sentry",),
    ),
    FollowUp(
        "to_reply",
        said("Which visa do I need for Vietnam?", ">An e-visa is enough for 90 days."),
        "where do I apply for one?",
        ("e-visa|visa",),
    ),
    FollowUp(
        "to_reply",
        said("How do I back up my photos?", ">Use restic with a Backblaze bucket."),
        "what does the bucket cost?",
        ("backblaze",),
    ),
    FollowUp(
        "to_reply",
        said("Suggest a plant for a dark corner", ">A ZZ plant would do well there."),
        "is it poisonous for cats?",
        ("zz",),
    ),
    FollowUp(
        "to_reply",
        said("Why was my mail rejected?", ">The SPF record of your domain doesn't list the sending host."),
        "how do I fix the record?",
        ("spf",),
    ),
    FollowUp(
        "to_reply",
        said("Which chord could come next?", ">Try an F minor sixth."),
        "show me the fingering for that on guitar",
        ("minor",),
    ),
)
