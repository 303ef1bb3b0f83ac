"""Every requirement, as data: what it demands, and why it is still open where no test proves it yet."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["REQUIREMENTS", "Requirement"]


@dataclass(frozen=True, slots=True)
class Requirement:
    """One demand. `open` is None when tests prove it, otherwise the reason why none does."""

    id: str
    says: str
    open: str | None = None


_WINDOW = (
    Requirement("K1", "Each user message is kept with its time, redacted text, intent, conversation and referent."),
    Requirement("K2", "One pass takes each message through fixed steps, and intent is read off the expanded text."),
    Requirement("K3", "Only the newest messages, ten unless set otherwise, stay in the window without anyone's help."),
    Requirement("K4", "Preset kds drops messages past two hours whenever it reads, detects or has been idle."),
    Requirement(
        "K5",
        "Pronouns, definite phrases, ordinals, bare follow-ups and clipped commands find what they point to.",
    ),
    Requirement(
        "K6",
        "The expanded message reads as a person would have written it, and a complete one stays untouched.",
        open="of what is written out some still reads clumsily or names the wrong thing: tests/followups.py",
    ),
    Requirement(
        "K7",
        "Seven intents come built in, several may apply at once, users teach their own, each may have a route.",
    ),
    Requirement("K8", "Turning to something else opens a new conversation and leaves the old one resumable."),
    Requirement(
        "K9", "The window can be loaded, added to and cleared by hand, in the library and on the command line."
    ),
    Requirement(
        "K10",
        "Secrets never reach the disk, kds and brain keep neither replies nor code, and nothing leaves the machine.",
    ),
    Requirement("K11", "conversation-context.jsonl is read and written field for field."),
)

_LIGHT = (
    Requirement("L1", "The light context stores, returns and clears four fields and interprets none of them."),
    Requirement(
        "L2",
        "The same JSON shapes go in and come out of the class, the command on stdin and the MCP tool.",
    ),
    Requirement("L3", "Bad input gets an error that names every missing field and changes nothing."),
    Requirement("L4", "Asking an empty light context succeeds and gives null."),
    Requirement("L5", "When its storage breaks, the host gets an error response and never an exception or a hang."),
    Requirement("L6", "Threads may share it, it leaves nothing behind after the session and prints JSON alone."),
    Requirement("L7", "A closing, an unrelated intent, being applied, the session's end or a timeout empties it."),
)

_TIERS = (
    Requirement("B1", "A conversation knows its title, span, messages, entities, files and how it came out."),
    Requirement(
        "B2",
        "A queue of twenty conversations lets the oldest idle one go, visibly, and by preset keeps its text.",
    ),
    Requirement("B3", "A conversation may go on for weeks without being cut off."),
    Requirement(
        "B4",
        "Four kinds of evidence decide each boundary with a confidence and a reason, and brain keeps its own bands.",
    ),
    Requirement(
        "B5",
        "An unsure boundary becomes a question whose answer, by letter or in words, settles the waiting message.",
    ),
    Requirement(
        "B6",
        "People point at other conversations by number, title or time, and the link is stored.",
    ),
    Requirement("B7", "Each step in the life of a conversation can be read as an event."),
    Requirement(
        "B8",
        "Phrase templates, reference rules, intent sequences, markers and file pairs are learned and can be purged.",
    ),
    Requirement(
        "B9",
        "Consolidation runs by count, time or hand, off the path, twice without harm, and reports what it changed.",
    ),
    Requirement(
        "B10",
        "What was learned makes the next decisions measurably better.",
    ),
    Requirement(
        "B11",
        "conversation-history.jsonl and knowledge-graph.yaml are read and written field for field.",
    ),
    Requirement(
        "B12",
        "Learned knowledge holds neither raw messages nor anyone's name.",
    ),
    Requirement(
        "B13",
        "Twenty conversations and the knowledge stay under 300 KB, the knowledge alone under 200 KB, for ever.",
    ),
    Requirement(
        "B14",
        "Query, update, append and consolidation keep within their milliseconds.",
        open="held to its bars by 'python -m benchmarks', not by a test: no test asserts the time on the clock",
    ),
    Requirement(
        "B15",
        "Intents, references and boundaries reach their accuracy on real conversations.",
        open="evals/results.json: on devchat intents and boundaries (one question in ten) pass 0.9; references do not",
    ),
)

_STATE = (
    Requirement(
        "Q1",
        "Goals, actions, decisions, constraints, files, entities and notes are kept and can be completed or removed.",
    ),
    Requirement(
        "Q2",
        "The working state reads as Markdown in a prompt and goes to JSON and back unchanged.",
    ),
    Requirement(
        "Q3",
        "Recent history keeps to a number of messages, real tokens and importance, the least important going first.",
    ),
    Requirement(
        "Q4",
        "Importance comes from fixed ranges and boosts, with nobody setting it.",
    ),
    Requirement(
        "Q5",
        "A summary with objective, progress, decisions and critical context renews itself and is never empty.",
    ),
    Requirement(
        "Q6",
        "The context fits its budget tier by tier, keeps room for prompt and answer and says what was left out.",
    ),
    Requirement(
        "Q7",
        "Long sessions are summarised, clustered and archived at fixed sizes without losing an original.",
    ),
    Requirement(
        "Q8",
        "A session becomes a long-term fragment by hand or because it meets written criteria.",
    ),
    Requirement("Q9", "Agents, threads and processes change one state together, each change signed and none lost."),
    Requirement(
        "Q10",
        "Sessions carry their metadata and can be listed, shown, begun, ended and restored.",
    ),
    Requirement(
        "Q11",
        "The .quaid/context folder is read and written, and Polars opens its JSONL.",
    ),
    Requirement(
        "Q12",
        "Entities, decisions, constraints and goals are picked out of what is said, with the rationale given.",
    ),
    Requirement(
        "Q13",
        "Every slash command works in the chat, on the command line and inside assistants.",
    ),
    Requirement(
        "Q14",
        "Terminal and page show what a context holds, what each part costs and why it is there.",
    ),
    Requirement(
        "Q15",
        "The same answers take at least 40 % fewer tokens than from a Markdown file.",
    ),
    Requirement(
        "Q16",
        "A setting decides how long old sessions stay, and users may share a project's state under their own names.",
    ),
)

_LAYERS = (
    Requirement(
        "W1",
        "Recall ranks twenty memories by meaning and words inside one user and bot, with filters and preferences.",
    ),
    Requirement(
        "W2",
        "Recall, question, emotional and general queries rank differently.",
    ),
    Requirement(
        "W3",
        "Six short memories form the narrative, recent ones under their own heading, in the fixed line format.",
    ),
    Requirement(
        "W4",
        "The last fifteen messages stand in full.",
    ),
    Requirement(
        "W5",
        "A thread summary of bounded length ends with its counts, and an empty one is reported as a fault.",
    ),
    Requirement(
        "W6",
        "Roles alternate, commands stay out and the current message comes once, at the end.",
    ),
    Requirement(
        "W7",
        "One system message, the talk and the current message leave in OpenAI's and Anthropic's shapes.",
    ),
    Requirement("W8", "What was just said is in the very next context, indexed or not."),
    Requirement(
        "W9",
        "Words of this session outrank older memories.",
    ),
    Requirement(
        "W10",
        "Each limit of preset whisper is a setting under its own name and default.",
    ),
    Requirement(
        "W11",
        "Each layer of a context tells what went in, what was cut, how long it took and what to mind.",
    ),
    Requirement(
        "W12",
        "Facts and preferences surface as such, and a newer one leaves the older marked as past.",
    ),
)

_BEYOND = (
    Requirement(
        "G1",
        "Everything works on one machine in milliseconds, without LLM, server or network.",
        open="“everything” waits for the other requirements",
    ),
    Requirement("G2", "Assistants plug in through MCP and through hooks that hear every prompt."),
    Requirement(
        "G3",
        "Each decision and each line of context gives its reason.",
    ),
    Requirement("G4", "PostgreSQL with pgvector behaves the same behind the same interface."),
    Requirement(
        "G5",
        "Exports of ChatGPT, Claude, Claude Code and Codex can be imported.",
    ),
    Requirement(
        "G6",
        "Agent frameworks use it through their own interfaces and pass their own suites.",
        open="there is no adapter yet",
    ),
    Requirement(
        "G7",
        "Forget leaves no trace, export gives everything, verify proves the store whole, doctor says how to mend it.",
    ),
    Requirement(
        "G8",
        "Remembered text is fenced, attributed and marked where it looks like an instruction.",
    ),
)

REQUIREMENTS: tuple[Requirement, ...] = (*_WINDOW, *_LIGHT, *_TIERS, *_STATE, *_LAYERS, *_BEYOND)
