"""What each peer is asked to do, in its own words: run inside its own environment, with nothing of Anaphora's around.

Each script makes `opened(place)`, which gives an object with `add(user, id, role, text)`, `search(user, query, k)` and
`ids(user)`. The driver, the same for all, comes behind it."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["DRIVER", "RIVALS", "Rival"]


@dataclass(frozen=True)
class Rival:
    """`packages` are installed into an environment of its own; of the one that runs, `own` is what belongs to it."""

    name: str
    packages: tuple[str, ...]
    code: str
    own: tuple[str, ...] = ()


_VECTORS = """
import json, os, sys, time
from array import array
_folder = sys.argv[1]
_texts = {text: n for n, text in enumerate(json.load(open(_folder + "/texts.json", encoding="utf-8")))}
_file = open(_folder + "/vectors.f32", "rb")
def embed(text):
    _file.seek(_texts[text] * 384 * 4)
    return array("f", _file.read(384 * 4)).tolist()
_begun = time.perf_counter()
"""

DRIVER = """
_imported = 1000 * (time.perf_counter() - _begun)
place, mode, *given = sys.argv[2:]
memory = opened(place)
if mode == "search":
    adds, searches, hits = [], [], []
    for chat in json.load(open(_folder + "/chats.json", encoding="utf-8")):
        for m in chat["messages"]:
            begun = time.perf_counter()
            memory.add(chat["user"], m["id"], m["role"], m["text"])
            adds.append(1000 * (time.perf_counter() - begun))
        getattr(memory, "settle", lambda user: None)(chat["user"])
        found = []
        for question in chat["questions"]:
            begun = time.perf_counter()
            found.append([str(id) for id in memory.search(chat["user"], question, 10)])
            searches.append(1000 * (time.perf_counter() - begun))
        hits.append(found)
    print(json.dumps({"import_ms": _imported, "add_ms": adds, "search_ms": searches, "hits": hits}))
elif mode == "write":
    user, count = given[0], int(given[1])
    texts = list(_texts)
    for n in range(count):
        try:
            memory.add(user, f"{user}-{n}", "user", texts[n % len(texts)])
            print("added", f"{user}-{n}", flush=True)
        except Exception as error:
            print("refused", type(error).__name__, flush=True)
    print(json.dumps({}))
else:
    print(json.dumps({"ids": [id for user in given for id in memory.ids(user)]}))
sys.stdout.flush()
os._exit(0)
"""

_ANAPHORA = """
import numpy
import anaphora
from anaphora.models.embedder import bundled_embedder
class Vectors:
    name, width = "minilm", 384
    def embed(self, texts):  # pieces of long messages, and what a question is about, are made here and now
        known = [embed(t) if t in _texts else bundled_embedder().embed([t])[0] for t in texts]
        return numpy.array(known, dtype=numpy.float32)
class opened:
    def __init__(self, place):
        self.place, self.memories = place, {}
    def of(self, user):
        if user not in self.memories:
            self.memories[user] = anaphora.open(
                self.place + "/store.db", user=user, embedder=Vectors(), reader="none", background=False
            )
        return self.memories[user]
    def add(self, user, id, role, text):
        (self.of(user).hear if role == "user" else self.of(user).say)(text, id=id)
    def settle(self, user):
        self.of(user).finish()
    def search(self, user, query, k):
        return [hit.message_id for hit in self.of(user).recall(query, k)]
    def ids(self, user):
        memory = self.of(user)
        return [m.id for c in memory.conversations() for m in memory.conversation(c.id).messages]
"""

_MEM0 = """
os.environ.update(MEM0_TELEMETRY="False", OPENAI_API_KEY="none", MEM0_DIR=sys.argv[2])
from langchain_core.embeddings import Embeddings
from mem0 import Memory
class Looked(Embeddings):
    def embed_documents(self, texts): return [embed(t) for t in texts]
    def embed_query(self, text): return embed(text)
class opened:
    def __init__(self, place):
        self.memory = Memory.from_config({
            "vector_store": {"provider": "qdrant", "config": {
                "path": place + "/qdrant", "on_disk": True, "embedding_model_dims": 384, "collection_name": "m"}},
            "embedder": {"provider": "langchain", "config": {"model": Looked()}},
            "history_db_path": place + "/history.db",
        })
    def add(self, user, id, role, text):
        done = self.memory.add([{"role": role, "content": text}], user_id=user, metadata={"ref": id}, infer=False)
        assert done["results"]
    def search(self, user, query, k):
        found = self.memory.search(query, filters={"user_id": user}, top_k=k)
        return [one["metadata"]["ref"] for one in found["results"]]
    def ids(self, user):
        found = self.memory.get_all(filters={"user_id": user}, top_k=100000)
        return [one["metadata"]["ref"] for one in found["results"]]
"""

_LANGGRAPH = """
import pysqlite3 as sqlite3  # many Pythons' own cannot load the extension that its search needs
from langgraph.store.sqlite import SqliteStore
class opened:
    def __init__(self, place):
        connection = sqlite3.connect(place + "/store.db", check_same_thread=False, isolation_level=None, timeout=30)
        self.store = SqliteStore(
            connection, index={"dims": 384, "embed": lambda texts: [embed(t) for t in texts], "fields": ["text"]}
        )
        self.store.setup()
    def add(self, user, id, role, text):
        self.store.put((user,), id, {"role": role, "text": text}, index=["text"])
    def search(self, user, query, k):
        return [one.key for one in self.store.search((user,), query=query, limit=k)]
    def ids(self, user):
        return [one.key for one in self.store.search((user,), limit=100000)]
"""

_CHROMA = """
import chromadb
from chromadb.config import Settings
class opened:
    def __init__(self, place):
        self.client = chromadb.PersistentClient(place, Settings(anonymized_telemetry=False))
        self.messages = self.client.get_or_create_collection("messages", embedding_function=None)
    def add(self, user, id, role, text):
        self.messages.add(
            ids=[user + "/" + id], embeddings=[embed(text)], documents=[text], metadatas=[{"user": user, "ref": id}]
        )
    def search(self, user, query, k):
        found = self.messages.query(query_embeddings=[embed(query)], n_results=k, where={"user": user})
        return [one["ref"] for one in found["metadatas"][0]]
    def ids(self, user):
        return [one["ref"] for one in self.messages.get(where={"user": user})["metadatas"]]
"""

_LLAMA = """
from llama_index.core import StorageContext, VectorStoreIndex, load_index_from_storage
from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.schema import TextNode
from llama_index.core.vector_stores import MetadataFilters
class Looked(BaseEmbedding):
    def _get_query_embedding(self, query): return embed(query)
    async def _aget_query_embedding(self, query): return embed(query)
    def _get_text_embedding(self, text): return embed(text)
class opened:
    def __init__(self, place):
        self.place = place
        if os.path.exists(place + "/docstore.json"):
            self.index = load_index_from_storage(StorageContext.from_defaults(persist_dir=place), embed_model=Looked())
        else:
            self.index = VectorStoreIndex([], embed_model=Looked())
    def add(self, user, id, role, text):
        node = TextNode(id_=user + "/" + id, text=text, embedding=embed(text), metadata={"user": user, "ref": id})
        self.index.insert_nodes([node])
        if sys.argv[3] == "write":
            self.index.storage_context.persist(self.place)
    def search(self, user, query, k):
        only = MetadataFilters.from_dict({"user": user})
        found = self.index.as_retriever(similarity_top_k=k, filters=only).retrieve(query)
        return [one.node.metadata["ref"] for one in found]
    def ids(self, user):
        return [n.metadata["ref"] for n in self.index.docstore.docs.values() if n.metadata["user"] == user]
"""

_TXTAI = """
os.environ["ALLOW_RESOLVE_TRANSFORM"] = "True"
from txtai import Embeddings
import numpy
def look(texts):
    return numpy.array([embed(t) for t in texts], dtype=numpy.float32)
class opened:
    def __init__(self, place):
        self.place = place
        self.index = Embeddings({"method": "external", "transform": "__main__.look", "content": True, "hybrid": True})
        if os.path.exists(place + "/index/config.json") or os.path.exists(place + "/index/config"):
            self.index.load(place + "/index")
    def add(self, user, id, role, text):
        self.index.upsert([(user + "/" + id, {"text": text, "user": user}, None)])
        if sys.argv[3] == "write":
            self.index.save(self.place + "/index")
    def search(self, user, query, k):
        asked = "select id from txtai where similar(:q, 200) and user = :u"
        return [one["id"].rsplit("/", 1)[1] for one in self.index.search(asked, k, parameters={"q": query, "u": user})]
    def ids(self, user):
        asked = "select id from txtai where user = :u"
        return [one["id"].rsplit("/", 1)[1] for one in self.index.search(asked, 100000, parameters={"u": user})]
"""

_NEEDED = ("apsw", "numpy", "numpy.libs", "onnxruntime", "platformdirs", "rich", "pygments", "typer", "click", "rs_bpe")

RIVALS = (
    Rival("anaphora", (), _VECTORS + _ANAPHORA, _NEEDED),
    Rival("mem0", ("mem0ai==2.2.1", "langchain"), _VECTORS + _MEM0),
    Rival("langgraph", ("langgraph-checkpoint-sqlite==3.1.2", "pysqlite3-binary"), _VECTORS + _LANGGRAPH),
    Rival("chroma", ("chromadb==1.5.9",), _VECTORS + _CHROMA),
    Rival("llamaindex", ("llama-index-core==0.14.25",), _VECTORS + _LLAMA),
    Rival("txtai", ("torch==2.13.0", "txtai==9.14.0"), _VECTORS + _TXTAI),
)
