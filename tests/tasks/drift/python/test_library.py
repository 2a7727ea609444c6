"""What a dotted name leads to in a repository's own packages."""

import pytest

from tasks.drift.python.library import Found, Library, Missing
from tests.tasks.drift.trees import tree_of

FILES = {
    "pyproject.toml": "",
    "bells/__init__.py": (
        "from .tower import Tower, ring as toll\nfrom bells import tower\nimport os.path as p\nLOUD = 5\n"
    ),
    "bells/tower.py": (
        "from threading import Thread\n"
        "class Base:\n    loud = 1\n    def __init__(self, rope, *, count=3):\n        self.rope = rope\n"
        "class Tower(Base):\n    height: int = 3\n    class Top: ...\n    def ring(self): ...\n"
        "class Worker(Thread): ...\n"
        "class Magic:\n    def __getattr__(self, name): ...\n"
        "@register\nclass Marked: ...\n"
        "class Plain: ...\n"
        "class Slotted:\n    __slots__ = ('rope',)\n"
        "if True:\n    def ring(): ...\nelse:\n    SIZE = 3\n"
        "try:\n    import fast\nexcept ImportError:\n    fast, slow = None, 1\n"
        "with open('x') as file: pass\n"
    ),
    "bells/deep/__init__.py": "from bells.tower import *\n",
    "bells/deep/rope.py": "def pull(n=2): ...\n",
    "bells/made.py": "def __getattr__(name): ...\n",
    "bells/stars.py": "from elsewhere import *\n",
    "bells/set.py": "setattr(x, 'y', 1)\n",
    "bells/broken.py": "def (:\n",
    "bells/fast.pyx": "x",
    "bells/space/inner.py": "X = 1\n",
    "bells/loop.py": "from bells.pool import X\n",
    "bells/pool.py": "from bells.loop import X\n",
    "tests/__init__.py": "",
    "vendor/requests/__init__.py": "",
    "src/ropes/__init__.py": "",
    "spire/pyproject.toml": "",
    "spire/src/spire/__init__.py": "",
}


@pytest.fixture(scope="module")
def library() -> Library:
    return Library(tree_of(FILES, others=[path for path, text in FILES.items() if not text]))


def test_packages_are_those_that_get_installed(library: Library) -> None:
    assert set(library.packages) == {"bells", "ropes", "spire"}


THERE = """bells bells.LOUD bells.Tower bells.toll bells.tower bells.tower.ring bells.Tower.ring bells.Tower.height
    bells.Tower.loud bells.Tower.rope bells.Tower.Top bells.Tower.__init__ bells.tower.SIZE bells.tower.slow
    bells.tower.file bells.deep.Tower bells.deep.rope bells.deep.rope.pull bells.tower.Slotted.rope
    bells.space.inner.X bells.tower.Thread"""


@pytest.mark.parametrize("name", THERE.split())
def test_what_is_there_is_found_or_not_judged(library: Library, name: str) -> None:
    assert not isinstance(library.find(name), Missing)


@pytest.mark.parametrize(
    ("name", "path", "line"),
    [
        ("bells.Tower", "bells/tower.py", 6),
        ("bells.toll", "bells/tower.py", 19),
        ("bells.Tower.ring", "bells/tower.py", 9),
        ("bells.deep.Tower", "bells/tower.py", 6),
        ("bells.deep.rope", "bells/deep/rope.py", 1),
        ("bells.LOUD", "bells/__init__.py", 1),
    ],
)
def test_a_name_leads_to_its_definition(library: Library, name: str, path: str, line: int) -> None:
    found = library.find(name)
    assert isinstance(found, Found)
    assert (found.place.path, found.place.line) == (path, line)


@pytest.mark.parametrize(
    ("name", "parent"),
    [
        ("bells.Spire", "bells"),
        ("bells.tower.Spire", "bells.tower"),
        ("bells.nowhere.Tower", "bells"),
        ("bells.Tower.wring", "bells.tower.Tower"),
        ("bells.tower.Plain.rope", "bells.tower.Plain"),
        ("bells.deep.rope.push", "bells.deep.rope"),
        ("bells.deep.Spire", "bells.deep"),
    ],
)
def test_what_is_not_there_is_missing(library: Library, name: str, parent: str) -> None:
    found = library.find(name)
    assert isinstance(found, Missing)
    assert found.parent == parent


UNCERTAIN = """bells.made.anything bells.stars.anything bells.set.anything bells.broken.anything bells.fast.anything
    bells.space.anything bells.tower.Worker.anything bells.tower.Magic.anything bells.tower.Marked.anything
    bells.LOUD.anything bells.Tower.ring.anything bells.p.join bells.loop.X bells._version
    bells.proto_pb2 other.thing tests.thing requests.get bells.tower.Plain.__class__"""


@pytest.mark.parametrize("name", UNCERTAIN.split())
def test_what_is_uncertain_is_not_judged(library: Library, name: str) -> None:
    assert library.find(name) is None
