"""Real nodes on this machine: submit, wait, cancel, approve, keep, resume, serve."""

from __future__ import annotations

import asyncio
import os
import pickle
import signal
import subprocess
import time
from pathlib import Path

import jax
import numpy as np
import pytest

import tacet_mpc as tacet
from tacet_mpc._network import _nodes
from tacet_mpc.compat import ppd

pytestmark = pytest.mark.skipif(os.name == "nt", reason="tacet up is for Unix")


@pytest.fixture(scope="module")
def net(tmp_path_factory):
    folder = tmp_path_factory.mktemp("cluster")
    here = os.getcwd()
    rng = np.random.default_rng(3)
    for name, shape in {"x": (4, 3), "x2": (4, 3), "w": (3,)}.items():
        np.save(folder / f"{name}.npy", rng.normal(size=shape).astype(np.float32))
    np.save(folder / "wide.npy", np.ones((4, 3)))
    np.savez(folder / "several.npz", arg0=np.ones(3, np.float32))
    subprocess.run([tacet.program(), "up", "--data", str(folder)], cwd=folder, check=True, capture_output=True, timeout=120)
    os.chdir(folder)
    try:
        with tacet.connect() as found:
            yield found
    finally:
        os.chdir(here)
        subprocess.run([tacet.program(), "down", "--limit", "5s"], cwd=folder, check=False, capture_output=True, timeout=120)


score = tacet.private(lambda x, w: {"p": jax.nn.sigmoid(x @ w)}, reveal="alice")


def want(name: str) -> np.ndarray:
    return np.asarray(jax.nn.sigmoid(np.load(f"{name}.npy") @ np.load("w.npy")))


def test_submit_and_wait(net):
    alice, bob = net["alice"], net["bob"]
    x, w = alice.array("x.npy"), bob.array("w.npy")
    assert (x.value.shape, x.value.dtype, w.value.shape) == ((4, 3), np.float32, (3,)), "the nodes have told shapes"
    plan = score.plan(x, w)
    job = score.submit(x, w)
    np.testing.assert_allclose(job.result(timeout=120)["p"], want("x"), atol=1e-3)
    assert job.state == "done" and job.done and (job.report.bytes, job.report.rounds) == (plan.bytes, plan.rounds)
    assert "alice: done" in job.logs() and repr(job) == f"Job({job.id[:8]}: done)" and "<table" in job._repr_html_()
    again = net.job(job.id[:10])
    assert again.id == job.id and again.report.rounds == plan.rounds
    assert job.id in [j.id for j in net.jobs()]
    pickled = pickle.loads(pickle.dumps(job))
    assert pickled.id == job.id and pickled.state == "done"
    np.testing.assert_allclose(pickled.result()[0], want("x"), atol=1e-3, err_msg="a tuple, as of net.job")

    async def both():
        return await asyncio.gather(score.submit(x, w), score.submit(x, w))

    first, second = asyncio.run(both())
    np.testing.assert_allclose(first["p"], second["p"], atol=1e-3)


def test_kept_results(net):
    alice, bob = net["alice"], net["bob"]
    half = tacet.private(lambda x: x / 2, reveal=())
    job = half.submit(alice.array("x.npy", shape=(4, 3)), keep="halves")
    job.wait(timeout=120)
    back = tacet.private(lambda h, w: h @ w, reveal="bob").submit(net.kept("halves", shape=(4, 3)), bob.array("w.npy", shape=3))
    np.testing.assert_allclose(back.result(timeout=120), np.load("x.npy") @ np.load("w.npy") / 2, atol=1e-3)


def test_service(net):
    alice, bob = net["alice"], net["bob"]
    x = alice.array("x.npy", shape=(4, 3))
    with score.serve(x, w=bob.array("w.npy", shape=3, resident=True)) as service:
        np.testing.assert_allclose(service.request(x=alice.array("x2.npy", shape=(4, 3)))["p"], want("x2"), atol=1e-3)
        with pytest.raises(tacet.Usage, match="the request lacks x\n  pass x=alice.array"):
            service.request()
        with pytest.raises(tacet.Usage, match="the service takes no y\n  it takes x"):
            service.request(x=x, y=x)
    assert service.state == "cancelled"
    with pytest.raises(tacet.Usage, match="restart='often'\n  write restart=\"always\""):
        score.serve(x, w=bob.array("w.npy", shape=3, resident=True), restart="often")


def spoken(ids, w, said):
    """Sums of w's rows of ids and all that was said before, and how often that was."""
    total = said["total"] + w[ids].sum(0)
    return {"total": total, "end": said["times"] == 2}, {"times": said["times"] + 1, "total": total}


def greeting(ids, w, said):
    total = w[ids].sum(0)
    return total, {"times": jax.numpy.int32(0), "total": total}


def more(ids, w, said):
    return spoken(jax.numpy.array([1]), w, said)


def test_programs_of_a_service(net, monkeypatch):
    """Functions on one state, which stays as shares; replies to requests one after the other, to the end or as many as asked."""
    alice, bob = net["alice"], net["bob"]
    np.save("ids.npy", np.array([0, 2, 2], np.int32))
    np.save("w2.npy", w := np.arange(6, dtype=np.float32).reshape(3, 2))
    one = tacet.private(lambda ids, w, said, row: spoken(jax.numpy.array([row]), w, said), reveal="alice", static="row")
    first = tacet.private(lambda ids, w, said, row: greeting(ids, w, said), reveal="alice", static="row")
    ids, weights = alice.array("ids.npy", shape=3, dtype="int32"), bob.array("w2.npy", shape=(3, 2), resident=True)
    said = {"total": np.zeros(2, np.float32), "times": 0}
    with one.serve(ids, weights, said, row=1, state="said", programs={"first": first}) as service:
        at = w[[0, 2, 2]].sum(0)
        np.testing.assert_allclose(service.request(program="first", ids=ids), at, atol=1e-3)
        replies = list(service.stream(repeat=9, until="end"))  # ids are left out: the function does not read them
        np.testing.assert_allclose([r["total"] for r in replies], [at + i * w[1] for i in (1, 2, 3)], atol=1e-3)
        assert [bool(r["end"]) for r in replies] == [False, False, True] and service.report.bytes > 0
        assert len(list(service.stream(repeat=2))) == 2
        service.request(ids, program="first")
        assert len(list(service.stream(repeat=9, until=lambda r: r["total"][0] > at[0] + 3))) == 2
        again = net.service(service.id[:10])
        np.testing.assert_allclose(again.request(ids, program="first"), [at], atol=1e-3, err_msg="a tuple")

        async def both():
            return [r async for r in pickle.loads(pickle.dumps(service)).astream(repeat=5, until=0)]

        assert len(asyncio.run(both())) == 3, "result 0 is end: dicts are ordered by key"
        for act, says in (
            (lambda: service.request(program="second"), "the service has no program 'second'\n  it has 'first'"),
            (lambda: service.request(program="first"), "the request lacks ids\n  pass ids=alice.array"),
            (lambda: service.request(ids=bob.array("ids.npy", shape=3)), "ids belongs to alice in this service, and the request has one of bob"),
            (lambda: service.request(ids, ids), "2 inputs for a service that takes 1\n  it takes ids"),
            (lambda: service.request(ids, ids=ids), "ids is given twice"),
            (lambda: again.request(3), f"value 0 of the request is no array at a node\n  pass {net.parties[0]}.array"),
            (lambda: again.request(ids=ids), "the names of the service's inputs are not known here"),
            (lambda: service.stream(repeat=0), "repeat=0 is no number of requests"),
            (lambda: service.stream(repeat=2, until="ends"), "until='ends' is no key of the reply\n  its keys are end, total"),
            (lambda: service.stream(repeat=2, until=2), "until=2 is no result: a reply has 2"),
            (lambda: service.stream(repeat=2, until="total"), "until='total' is a result of float32"),
        ):
            with pytest.raises(tacet.Usage, match=says):
                act()
        monkeypatch.setattr("tacet_mpc._services.read_outs", lambda _: [np.zeros(2, np.float32)])
        with pytest.raises(tacet.Error, match=r"results of the shapes \[\(2,\)\], and the program reveals \[\(\), \(2,\)\]"):
            service.request()


def test_state_misuse(net):
    """What does not fit a state or a further function is refused before anything is submitted."""
    alice, bob = net["alice"], net["bob"]
    ids, w = alice.array("ids.npy", shape=3, dtype="int32"), bob.array("w2.npy", shape=(3, 2), resident=True)
    said = {"total": np.zeros(2, np.float32), "times": 0}
    one, first = tacet.private(more), tacet.private(greeting)
    alike = bob.array("w3.npy", shape=(3, 2), resident=True)
    turned = tacet.private(lambda w, ids, said: greeting(ids, w, said))
    floats = tacet.private(lambda ids, w, said: (ids, {**said, "times": 0.5}))
    for act, says in (
        (lambda: one.serve(ids, w, said, state="sayd"), "state='sayd' names no parameters\n  write state=\"said\"; the parameters are ids, w, said"),
        (lambda: one.serve(ids, w, said, state="ids, w, said"), "more returns no tuple that ends with its states ids, w, said"),
        (lambda: one.serve(ids, w, said, state="w"), "more returns as state w what has other parts: .*times"),
        (lambda: floats.serve(ids, w, said, state="said"), r"as state said\['times'\] an array of float32\[\], and the argument is int32\[\]"),
        (lambda: one.serve(ids, w, said, state="said", programs={"first": greeting}), "program first is no private function"),
        (lambda: one.serve(ids, w, said, state="said", programs={"first": turned}), "does not take the parameters of more.* in their order"),
        (lambda: one.serve(ids, w, said, state="said", programs={"first": (first, {"id": ids})}), "program first changes id, which more does not take"),
        (lambda: one.serve(ids, w, said, state="said", programs={"first": (first, {"said": {**said, "times": 1}})}), r"changes said\['times'\], which stays"),
        (lambda: one.serve(ids, w, said, state="said", programs={"first": (first, {"w": alike})}), "program first changes w, which stays at the nodes"),
        (lambda: one.serve(ids, w, said, state="said", programs={"first": (first, {"ids": bob.array("ids.npy", shape=3, dtype="int32")})}), "ids belongs to alice in more, and to bob"),
    ):
        with pytest.raises(tacet.Usage, match=says) as caught:
            act()
        assert len(str(caught.value).splitlines()) <= 3


CONF = {
    "nodes": {"node:0": "127.0.0.1:61920", "node:1": "127.0.0.1:61921"},
    "devices": {
        "SPU": {
            "kind": "SPU",
            "config": {"node_ids": ["node:0", "node:1"], "runtime_config": {"protocol": "SEMI2K", "field": "FM64", "enable_pphlo_profile": True}},
        },
        "P1": {"kind": "PYU", "config": {"node_id": "node:0"}},
        "P2": {"kind": "PYU", "config": {"node_id": "node:1"}},
    },
}


def test_ppd(net, monkeypatch):
    """A program for SPU's nodes runs with files in place of functions that load data."""
    monkeypatch.setattr(ppd, "_world", None)  # another test may have connected it
    with pytest.raises(tacet.Usage, match="ppd is not connected\n  call ppd.init"):
        ppd.device("SPU")
    with pytest.warns(UserWarning, match="device SPU: enable_pphlo_profile have no meaning here"):
        ppd.init(CONF["nodes"], CONF["devices"])
    x, w = ppd.device("P1")("x.npy"), ppd.device("P2")("w.npy")
    p = ppd.device("SPU")(lambda x, w: {"p": jax.nn.sigmoid(x @ w), "x": x})(x, w)
    best = ppd.device("SPU")(lambda r, n: r["p"][:n] * 2, static_argnums=1)(p, 3)
    meta = pickle.dumps(ppd.save(best))
    got, two, n = ppd.get((p["p"], ppd.load(pickle.loads(meta)), 7))
    np.testing.assert_allclose(got, want("x"), atol=1e-3)
    np.testing.assert_allclose(two, 2 * want("x")[:3], atol=1e-3)
    assert n == 7
    with pytest.raises(tacet.Unsupported, match="no Python runs at another party\n  refer to the data"):
        ppd.device("P1")(lambda: np.ones(3))
    with pytest.raises(tacet.Usage, match="there is no device P3\n  there are SPU, P1, P2"):
        ppd.device("P3")
    with pytest.raises(tacet.Usage, match="the data stays at the node of alice"):
        ppd.get(x)
    with pytest.raises(tacet.Usage, match="device SPU: protocol CHEETAH2 is unknown here"):
        ppd.init(devices={"SPU": {"kind": "SPU", "config": {"runtime_config": {"protocol": "CHEETAH2"}}}})


def restarted(net, party: str) -> None:
    """Kills a party's node and starts it again."""
    cluster = Path(net.file).parent
    os.kill(int((cluster / party / "pid").read_text()), signal.SIGKILL)
    subprocess.run([tacet.program(), "up"], cwd=cluster.parent, check=True, capture_output=True, timeout=120)


def test_checkpoints_and_restarts(net):
    """When bob's node is killed, a training resumes from its checkpoint, and a service with restart opens again."""
    alice, bob = net["alice"], net["bob"]
    x, w = alice.array("x.npy", shape=(4, 3)), bob.array("w.npy", shape=3)
    train = tacet.private(lambda x, w: jax.lax.fori_loop(0, 1200, lambda _, v: v * jax.nn.sigmoid(w) + w, x), reveal="alice")
    with score.serve(x, w=bob.array("w.npy", shape=3, resident=True), restart="always") as service:
        service.request(x=x)
        job = train.submit(x, w, checkpoint=50)
        while not all(s.get("newest_checkpoint") for s in job.status):
            assert not job.done
            time.sleep(0.02)
        restarted(net, "bob")
        with pytest.raises(tacet.Error):
            job.wait(timeout=120)
        again = train.submit(x, w, checkpoint=50, resume=job)
        value = np.load("x.npy")
        for _ in range(1200):
            value = value / (1 + np.exp(-np.load("w.npy"))) + np.load("w.npy")
        np.testing.assert_allclose(again.result(timeout=120), value, atol=1e-3)
        assert again.report.rounds < train.plan(x, w).rounds, "it begins at a checkpoint"
        for _ in range(100):
            try:
                answer = service.request(x=alice.array("x2.npy", shape=(4, 3)))
                break
            except tacet.Error:
                time.sleep(0.3)
        np.testing.assert_allclose(answer["p"], want("x2"), atol=1e-3)


def test_cancelled_job(net):
    alice, bob = net["alice"], net["bob"]
    slow = tacet.private(lambda x, w: jax.lax.fori_loop(0, 12000, lambda _, v: v * w, x), network="1e6/100ms")
    job = slow.submit(alice.array("x.npy", shape=(4, 3)), bob.array("w.npy", shape=3))
    with pytest.raises(tacet.Timeout, match="it continues"):
        job.wait(timeout=0)
    job.cancel()
    with pytest.raises(tacet.Error, match="is cancelled at"):
        job.wait(timeout=120)


def test_misuse(net):
    alice, bob = net["alice"], net["bob"]
    x, w = alice.array("x.npy", shape=(4, 3)), bob.array("w.npy", shape=3)
    for act, error, says in (
        (lambda: net["carol"], tacet.Usage, "has no node of carol\n  it has alice, bob"),
        (lambda: alice(np.ones(3)), tacet.Usage, "alice has a node, which reads its own data"),
        (lambda: score(x, w), tacet.Usage, "x is a shape without data"),
        (lambda: tacet.connect("nowhere.yaml"), tacet.Usage, "there is no cluster file nowhere.yaml"),
        (lambda: score.submit(*(tacet.parties("a b")[i](np.ones(3, np.float32)) for i in (0, 1))), tacet.Usage, "is a value of this process"),
        (lambda: score.submit(alice.array("none.npy", shape=(4, 3)), w).result(timeout=120), tacet.Error, "none.npy"),
        (lambda: alice.array("none.npy"), tacet.Error, 'alice has no input "none.npy"'),
        (lambda: alice.array("several.npz"), tacet.Usage, "several.npz of alice holds arrays by name"),
        (lambda: score.submit(alice.array("wide.npy"), w), tacet.Usage, "x is float64 at the node of alice"),
        (lambda: net.job("ffff"), tacet.Usage, "no queried node has a job ffff"),
    ):
        with pytest.raises(error, match=says) as caught:
            act()
        assert len(str(caught.value).splitlines()) <= 3


def test_node_down(tmp_path):
    for name in ("ca.crt", "admin.crt", "admin.key"):
        (tmp_path / name).write_bytes(Path("cluster", name).read_bytes() if Path("cluster", name).exists() else b"")
    (tmp_path / "cluster.yaml").write_text("tls: {cert: admin.crt, key: admin.key, ca: ca.crt}\nnodes: {alice: '127.0.0.1:1', bob: '127.0.0.1:1'}\n")
    with pytest.raises(tacet.Error) as caught:
        tacet.connect(tmp_path / "cluster.yaml").jobs()
    assert isinstance(caught.value, (tacet.Lost, tacet.Usage)) and len(str(caught.value).splitlines()) <= 3


def test_names_of_nodes(tmp_path):
    file = tmp_path / "cluster.yaml"
    file.write_text("nodes:\n  alice: 127.0.0.1:7001\n  # comment\n  bob: 127.0.0.1:7002\ndealer: {name: d, address: x}\n")
    assert _nodes(file) == ["alice", "bob"]
    file.write_text("nodes: {alice: '127.0.0.1:7001', bob: '127.0.0.1:7002'}\n")
    assert _nodes(file) == ["alice", "bob"]
    file.write_text("tls: {}\n")
    with pytest.raises(tacet.Usage, match="names no nodes"):
        tacet.connect(file)


def policy(net, party: str, rule: str, until, admins: str = "admin") -> None:
    """Replaces a node's policy, and waits until it applies."""
    folder = Path(net.file).parent / party
    (folder / "policy.yaml").write_text(f"admins: [{admins}]\nrules:\n  - {rule}\n")
    os.kill(int((folder / "pid").read_text()), signal.SIGHUP)
    for _ in range(600):
        if until():
            return
        time.sleep(0.1)
    pytest.fail("the policy does not apply")


ALL = "{name: NAME, submitters: [admin], programs: any, protocols: any, arguments: any, inputs: INPUTS, reveal: any, approve: APPROVE}"


def test_consent(net):
    alice, bob = net["alice"], net["bob"]
    x, w = alice.array("x.npy", shape=(4, 3)), bob.array("w.npy", shape=3)
    state = ""

    def submitted() -> str:
        nonlocal job, state
        try:
            job = score.submit(x, w)
        except tacet.Denied as err:
            denied.append(err)
            return "denied"
        return job.state

    job, denied = None, []
    policy(net, "bob", ALL.replace("NAME", "ask").replace("INPUTS", "any").replace("APPROVE", "true"), lambda: submitted() == "pending")
    assert repr(job) == f"Job({job.id[:8]}: pending at bob: rule 'ask' asks its owner)"
    job.approve(bob)
    np.testing.assert_allclose(job.result(timeout=120)["p"], want("x"), atol=1e-3)

    def refused() -> bool:
        if submitted() == "denied" and not denied:
            try:
                job.wait(timeout=60)
            except tacet.Denied as err:
                denied.append(err)
        return bool(denied)

    policy(net, "bob", ALL.replace("NAME", "none").replace("INPUTS", "[other.npy]").replace("APPROVE", "false"), refused)
    assert denied[0].party == "bob" and isinstance(denied[0], PermissionError)
    assert len(str(denied[0]).splitlines()) <= 3 and "w.npy" in str(denied[0])


def test_shapes_by_consent(net):
    """A node tells nobody but its admins shapes of inputs, unless a rule with describe lets the submitter know."""
    bob = net["bob"]
    told: list[object] = []

    def refused() -> bool:
        try:
            bob.array("w.npy")
        except tacet.Denied as err:
            told.append(err)
        return bool(told)

    rule = "{name: NAME, submitters: [admin], programs: any, inputs: [w.npy]DESCRIBE}"
    policy(net, "bob", rule.replace("NAME", "silent").replace("DESCRIBE", ""), refused, admins="root")
    assert str(told[0]).splitlines() == [
        "bob does not tell the shape of w.npy",
        "  say it: bob.array('w.npy', shape=(1000, 3)); or ask bob for a rule with describe: true",
    ]

    def answered() -> bool:
        try:
            return bool(bob.array("w.npy").value.shape == (3,))
        except tacet.Denied:
            return False

    policy(net, "bob", rule.replace("NAME", "telling").replace("DESCRIBE", ", describe: true"), answered, admins="root")
    with pytest.raises(tacet.Denied):
        bob.array("x.npy")
