"""What is wrong with a bucket that is read in place is one line, with what to do; and what is right is checked."""

from __future__ import annotations

import hashlib
import json
import re
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from muniment import open_index
from muniment.errors import ForeignIndex, ProviderUnavailable
from muniment.store.bucket import Bucket, BucketChoice
from muniment.store.pushed import read_published
from tests.conftest import Ran
from tests.muniment.http.doors import opened
from tests.scale.conftest import Machine
from tests.scale.gate import Gate
from tests.scale.reading import Shelf

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("words_only")]
CONDITIONS = re.compile(rb"(?i)\r\nif-(none-)?match: [^\r]*")


@pytest.fixture
def through(choice: BucketChoice, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Has the bucket reached at another address from here on."""

    def go(endpoint: str) -> None:
        options = dict(choice.options) | {"endpoint": endpoint}
        monkeypatch.setenv("MUNIMENT_SCALE__STORAGE_OPTIONS", json.dumps(options))

    return go


@contextmanager
def only_known_keys(emulator: str) -> Iterator[None]:
    """While the block runs, the emulator admits none of the keys that tests use."""

    def admit(free: str) -> None:
        httpx.post(f"{emulator}/moto-api/reset-auth", content=free).raise_for_status()

    admit("0")
    try:
        yield
    finally:
        admit("inf")


def reading_keys(emulator: str) -> dict[str, str]:
    """Keys of a user who may read every bucket, and write to none."""
    policy = {"Effect": "Allow", "Action": ["s3:GetObject", "s3:ListBucket"], "Resource": "*"}
    asked_of_iam(emulator, Action="CreateUser", UserName="reader")
    document = json.dumps({"Version": "2012-10-17", "Statement": [policy]})
    asked_of_iam(emulator, Action="PutUserPolicy", UserName="reader", PolicyName="read", PolicyDocument=document)
    made = asked_of_iam(emulator, Action="CreateAccessKey", UserName="reader")
    found = re.search(r"<AccessKeyId>(\w+)<.*<SecretAccessKey>([^<]+)<", made, re.DOTALL)
    assert found
    return {"aws_access_key_id": found[1], "aws_secret_access_key": found[2]}


def asked_of_iam(emulator: str, **asked: str) -> str:
    signed = {"Authorization": "AWS4-HMAC-SHA256 Credential=a/20260101/us-east-1/iam/aws4_request"}
    return httpx.post(emulator, data={"Version": "2010-05-08", **asked}, headers=signed).raise_for_status().text


def of_bucket(ran: Ran) -> list[str]:
    return [line for line in ran.out.splitlines() if " bucket " in line]


def reads_data(sent: bytes) -> bool:
    return sent.startswith(b"GET ") and b"data" in sent.partition(b"\r\n")[0]


def test_a_bucket_that_is_away_is_one_line(reader: Machine, through: Callable[[str], None]) -> None:
    through("http://127.0.0.1:9")
    for command in (("search", "heron"), ("ask", "heron"), ("status",), ("verify",)):
        ran = reader(*command)
        assert (ran.code, ran.out, len(ran.err.splitlines())) == (13, "", 2)
        assert "can't be reached at 'http://127.0.0.1:9'" in ran.err
    assert "FAIL  bucket" in reader("doctor").out


def test_wrong_keys_are_one_line(reader: Machine, emulator: str) -> None:
    with only_known_keys(emulator):
        ran = reader("search", "heron")
        said = reader("doctor")
    assert (ran.code, len(ran.err.splitlines())) == (13, 2)
    assert "refuses: InvalidAccessKeyId: The AWS Access Key Id you provided does not exist" in ran.err
    assert (said.code, of_bucket(said)[0].startswith("FAIL")) == (1, True)


def test_an_unknown_bucket_is_one_line(reader: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MUNIMENT_SCALE__URL", "s3://no-such-bucket/docs")
    for command in (("search", "heron"), ("status",), ("verify",), ("pull",)):
        ran = reader(*command)
        assert (ran.code, len(ran.err.splitlines())) == (13, 2)
        assert "NoSuchBucket" in ran.err
        assert "does the bucket exist?" in ran.err


def test_an_endpoint_without_tls_has_to_be_meant(
    reader: Machine, choice: BucketChoice, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = {name: value for name, value in choice.options if name != "allow_http"}
    monkeypatch.setenv("MUNIMENT_SCALE__STORAGE_OPTIONS", json.dumps(plain))
    ran = reader("search", "heron")
    assert (ran.code, 'allow_http = "true"' in ran.err) == (2, True)


def test_what_is_not_installed_is_named(reader: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "obstore", None)
    ran = reader("search", "heron")
    assert (ran.code, "pip install 'muniment[s3]'" in ran.err) == (2, True)
    assert "pip install 'muniment[s3]'" in reader("doctor").out


def test_broken_storage_options_show_no_key(reader: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    options = {"aws_secret_access_key": {"nested": "hunter2"}}
    monkeypatch.setenv("MUNIMENT_SCALE__STORAGE_OPTIONS", json.dumps(options))
    ran = reader("search", "heron")
    assert (ran.code, "hunter2" in ran.err + ran.out) == (2, False)


def test_an_open_index_goes_on_when_the_bucket_is_back(
    reader: Machine, emulator: str, through: Callable[[str], None]
) -> None:
    with Gate(emulator) as gate:
        through(gate.url)
        with opened(reader.home) as door:
            assert door.get("/api/search?q=heron").json()["hits"]
            gate.close_connections()
            gone = door.get("/api/search?q=heron")
            assert (gone.status_code, gone.json()["error"]) == (503, "ProviderUnavailable")
            assert door.get("/readyz").status_code == 503
            assert door.get("/healthz").status_code == 200
            assert "muniment_http_requests_total" in door.get("/metrics").text
            gate.reopen_connections()
            assert door.get("/api/search?q=heron").json()["hits"]


def test_a_bucket_that_goes_away_between_pointer_and_tables(
    reader: Machine, emulator: str, through: Callable[[str], None]
) -> None:
    with Gate(emulator, cut=reads_data) as gate:
        through(gate.url)
        ran = reader("search", "heron")
    assert (ran.code, len(ran.err.splitlines())) == (13, 2)
    assert "can't read table chunks_00000001 in 's3://" in ran.err


def test_a_generation_that_goes_while_it_is_searched_costs_nobody_an_answer(
    reader: Machine, shelf: Shelf, emulator: str, through: Callable[[str], None], choice: BucketChoice
) -> None:
    """The search has read the pointer and waits for the tables; when it may go on, they are gone."""
    with Gate(emulator, held=reads_data) as gate:
        through(gate.url)
        with open_index_later(reader.home) as answer:
            assert gate.reached.wait(60)
            through(dict(choice.options)["endpoint"])
            for text in ("One.", "Two.", "A page about lighthouses."):
                shelf.publish(text)
            gate.opened.set()
            assert answer() == ["new.md"]


def test_what_was_lost_is_named_with_what_mends_it(reader: Machine, bucket: Bucket, shelf: Shelf) -> None:
    bucket.remove([a_data_object(bucket)])
    with open_index(reader.home) as index, pytest.raises(ForeignIndex, match=r"generation 1 in 's3://.* is not whole"):
        index.search("heron")
    ran = reader("verify")
    assert (ran.code, "is not in the bucket" in ran.out) == (1, True)
    assert shelf.writer("index", shelf.repo, "--force").code == 0
    assert reader("verify", "--deep").code == 0
    assert reader("search", "heron", "--json").json["hits"]


def test_verify_reads_every_byte_when_asked(reader: Machine, bucket: Bucket) -> None:
    whole = reader("verify", "--deep", "--json").json
    published = read_published(bucket)
    assert published
    assert (whole["ok"], whole["looked"]["files"]) == (True, len(published.sums))
    assert "rows, vectors and sources" in whole["unchecked"]
    name = a_data_object(bucket)
    found = bucket.read(name)
    assert found
    flipped = bytearray(found[0])
    flipped[len(flipped) // 2] ^= 1
    bucket.write(name, bytes(flipped))
    assert reader("verify").code == 0
    damaged = reader("verify", "--deep", "--json")
    assert (damaged.code, [one["part"] for one in damaged.json["findings"]]) == (1, ["files"])
    assert damaged.json["findings"][0]["mend"] == "muniment index --force"


def test_a_torn_pointer_is_named(reader: Machine, bucket: Bucket) -> None:
    bucket.write("current.json", b"{")
    ran = reader("search", "heron")
    assert (ran.code, "'current.json' in 's3://" in ran.err, "choose another prefix" in ran.err) == (12, True, True)
    assert reader("verify", "--json").json["findings"][0]["part"] == "pointer"


def test_a_list_that_leads_out_of_the_tables_is_refused(reader: Machine, bucket: Bucket, shelf: Shelf) -> None:
    published = read_published(bucket)
    assert published
    found = bucket.read(published.file)
    assert found
    listed = found[0].replace(b'"tables/chunks', b'"tables/../../chunks', 1)
    write_pointer(bucket, published.file, listed)
    for command in (("search", "heron"), ("pull",)):
        ran = reader(*command)
        assert (ran.code, "is torn, or was not written by this muniment" in ran.err) == (12, True)
    assert not list(reader.home.rglob("*.lance"))


def test_doctor_says_what_the_bucket_holds(reader: Machine, shelf: Shelf, bucket: Bucket) -> None:
    ran = reader("doctor")
    assert ran.code == 0
    first, second = of_bucket(ran)
    assert re.match(r"ok    bucket     's3://\S+' holds generation 1, published \d+ minutes ago, ", first)
    assert first.endswith("5 documents; read in place")
    assert second == "ok    bucket     heeds conditional puts: of two machines that publish at once, one is told so"
    assert "none on this machine, and none is needed" in ran.out
    assert [one.name for one in bucket.find("probes/")] == []


def test_keys_that_only_read_are_enough(
    reader: Machine, emulator: str, choice: BucketChoice, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = dict(choice.options) | reading_keys(emulator)
    monkeypatch.setenv("MUNIMENT_SCALE__STORAGE_OPTIONS", json.dumps(options))
    with only_known_keys(emulator):
        assert reader("search", "heron", "--json").json["hits"]
        assert of_bucket(reader("doctor"))[1].endswith("with these keys, and reading in place writes nothing")
        monkeypatch.delenv("MUNIMENT_SCALE__READ_IN_PLACE")
        said = reader("doctor")
    assert (said.code, of_bucket(said)[1].startswith("FAIL  bucket     can't be written")) == (1, True)


def test_doctor_says_where_conditions_are_not_heeded(
    reader: Machine, emulator: str, through: Callable[[str], None]
) -> None:
    with Gate(emulator, altered=lambda sent: CONDITIONS.sub(b"", sent)) as gate:
        through(gate.url)
        ran = reader("doctor")
    assert ran.code == 0
    assert of_bucket(ran)[1].startswith("warn  bucket     the store does not heed If-None-Match and If-Match")


def test_doctor_says_where_nothing_was_pushed(
    machine: Callable[[str], Machine], monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = machine("alone")
    assert [alone("doctor").code, of_bucket(alone("doctor"))[0][:4]] == [0, "ok  "]
    monkeypatch.setenv("MUNIMENT_SCALE__READ_IN_PLACE", "true")
    ran = alone("doctor")
    assert (ran.code, "nothing was pushed there yet" in of_bucket(ran)[0]) == (1, True)


def test_a_probe_that_was_left_behind_is_collected(reader: Machine, shelf: Shelf, bucket: Bucket) -> None:
    bucket.write("probes/0123456789abcdef", b"first")
    assert shelf.writer("gc").code == 0
    assert [one.name for one in bucket.find("probes/")] == []


def a_data_object(bucket: Bucket) -> str:
    """One that the rows of the published chunks are in."""
    published = read_published(bucket)
    assert published
    name = next(name for name in published.sums if "/chunks" in name and "/data/" in name)
    return f"data/{published.lineage}/{name}"


def write_pointer(bucket: Bucket, file: str, listed: bytes) -> None:
    """As whoever may write to the bucket could: a pointer that fits what it names."""
    bucket.write(file, listed)
    pointer = {"format": "muniment-shared", "number": 1, "file": file, "sha256": hashlib.sha256(listed).hexdigest()}
    bucket.write("current.json", json.dumps(pointer).encode())


@contextmanager
def open_index_later(home: Path) -> Iterator[Callable[[], list[str]]]:
    """Opens and searches in a thread; the block gets what waits for the paths that it found."""
    found: list[str] = []
    failed: list[BaseException] = []

    def search() -> None:
        try:
            with open_index(home) as index:
                found.extend(hit.path for hit in index.search("lighthouses", mode="lexical").hits)
        except (ProviderUnavailable, ForeignIndex) as error:
            failed.append(error)

    thread = threading.Thread(target=search)
    thread.start()

    def answer() -> list[str]:
        thread.join()
        assert not failed, failed
        return found

    try:
        yield answer
    finally:
        thread.join()
