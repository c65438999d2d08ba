"""Trains a small decoder in JAX and writes it as a service of two programs.

    pip install jax==0.6.2
    python export.py             # writes job.yaml, prompt.mlir, step.mlir and the parties' files

The decoder reads letters: two layers with two heads of attention over a window of 16 letters, trained for some seconds on the text below. Bob has the
weights, Alice the beginning of a text. prompt.mlir takes eight letters at once and fills the cache of keys and values; step.mlir continues by one
letter. Both return the letter that comes next (greedily, the most probable one) and whether it ends the text, and as state the cache, the place
in the window and that letter. So step.mlir needs nothing from Alice, and nobody learns the cache. The cache is shifted by one place for each
letter: which places are filled is secret too, and no operation depends on a position.
"""
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np

HERE = Path(__file__).resolve().parent
TEXT = "the parties keep shares of the cache and of the weights, and one of them learns the text."
LETTERS = sorted(set(TEXT))
END = LETTERS.index(".")
WINDOW, PROMPT, WIDTH, HEADS, LAYERS = 16, 8, 32, 2, 2
SLOPES = np.array([0.2, 1.5], np.float32)[:, None, None]  # of each head: by how much a score falls with each letter between
NEVER = -30.0  # added to the scores of places that are not filled


def initial(rng):
    def matrix(*shape):
        return jnp.asarray(rng.normal(size=shape) / np.sqrt(shape[0]), jnp.float32)

    layers = [{"qkv": matrix(WIDTH, 3 * WIDTH), "out": matrix(WIDTH, WIDTH), "up": matrix(WIDTH, 2 * WIDTH), "down": matrix(2 * WIDTH, WIDTH)}
              for _ in range(LAYERS)]
    return {"letters": matrix(len(LETTERS), WIDTH), "head": matrix(WIDTH, len(LETTERS)), "layers": layers}


def norm(x):
    return x * jax.lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-3)


def attend(q, k, v, bias):
    """Attention of the queries q (n, WIDTH) to keys and values (m, WIDTH); bias (HEADS, n, m) is added to the scores."""
    q, k, v = (a.reshape(a.shape[0], HEADS, -1) for a in (q, k, v))
    scores = jnp.einsum("nhd,mhd->hnm", q, k) / np.sqrt(WIDTH // HEADS) + bias
    return jnp.einsum("hnm,mhd->nhd", jax.nn.softmax(scores), v).reshape(q.shape[0], WIDTH)


def block(layer, x, keys, values, bias):
    """One layer of n letters x after the keys and values of earlier ones; returns its output and all keys and values."""
    q, k, v = jnp.split(norm(x) @ layer["qkv"], 3, -1)
    keys, values = jnp.concatenate([keys, k]), jnp.concatenate([values, v])
    x = x + attend(q, keys, values, bias) @ layer["out"]
    return x + jax.nn.relu(norm(x) @ layer["up"]) @ layer["down"], keys, values


def decode(params, onehot, cache, empty):
    """Takes n letters as rows of onehot. cache (LAYERS, 2, WINDOW, WIDTH) has keys and values, empty (WINDOW) is NEVER where it has none."""
    n = onehot.shape[0]
    # Letter i sees what is in the cache and the letters up to itself, the WINDOW newest of them.
    order = np.arange(WINDOW + n)[None] - np.arange(n)[:, None]
    seen = (order > 0) & (order <= WINDOW)
    bias = jnp.concatenate([empty, jnp.zeros(n)]) + np.where(seen, SLOPES * (order - WINDOW), NEVER).astype(np.float32)
    x, caches = onehot @ params["letters"], []
    for i, layer in enumerate(params["layers"]):
        x, keys, values = block(layer, x, cache[i, 0], cache[i, 1], bias)
        caches.append(jnp.stack([keys[n:], values[n:]]))  # the newest WINDOW
    return norm(x) @ params["head"], jnp.stack(caches), jnp.concatenate([empty, jnp.zeros(n)])[n:]


def nothing():
    return jnp.zeros((LAYERS, 2, WINDOW, WIDTH)), jnp.full(WINDOW, NEVER)


def following(logits):
    """The most probable letter, whether it ends the text, and its one-hot row."""
    letter = jnp.argmax(logits[-1]).astype(jnp.int32)
    return letter, letter == END, (jnp.arange(len(LETTERS)) == letter).astype(jnp.float32)[None]


def prompt(ids, params, cache, empty, last):
    """The first PROMPT letters of a text. The state of an earlier text is replaced."""
    logits, cache, empty = decode(params, jax.nn.one_hot(ids, len(LETTERS)), *nothing())
    letter, end, last = following(logits)
    return letter, end, cache, empty, last


def step(ids, params, cache, empty, last):
    """One letter more, after the letter that the last request has chosen."""
    logits, cache, empty = decode(params, last, cache, empty)
    letter, end, last = following(logits)
    return letter, end, cache, empty, last


def train(params):
    ids = np.array([LETTERS.index(c) for c in TEXT])

    def loss(params):
        logits = decode(params, jax.nn.one_hot(ids[:-1], len(LETTERS)), *nothing())[0]
        return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(logits), ids[1:, None], 1))

    @jax.jit
    def update(params, moments, t):
        value, grads = jax.value_and_grad(loss)(params)
        m = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, moments[0], grads)
        v = jax.tree.map(lambda v, g: 0.99 * v + 0.01 * g * g, moments[1], grads)
        params = jax.tree.map(lambda p, m, v: p - 0.01 * (1 - t / 401) * (m / (1 - 0.9**t)) / (jnp.sqrt(v / (1 - 0.99**t)) + 1e-8), params, m, v)
        return params, (m, v), value

    moments = (jax.tree.map(jnp.zeros_like, params),) * 2
    for t in range(1, 401):
        params, moments, value = update(params, moments, float(t))
    print(f"loss {value:.3f}")
    return params


def main():
    params = train(initial(np.random.default_rng(0)))
    leaves, tree = jax.tree.flatten(params)
    state = [*nothing(), jnp.zeros((1, len(LETTERS)))]

    def flat(function):
        return lambda ids, *rest: function(ids, jax.tree.unflatten(tree, rest[:len(leaves)]), *rest[len(leaves):])

    ids = np.array([LETTERS.index(c) for c in TEXT[:PROMPT]], np.int32)
    for function, given in (prompt, ids), (step, np.zeros(1, np.int32)):
        lowered = jax.jit(flat(function), keep_unused=True).lower(given, *leaves, *state)
        (HERE / f"{function.__name__}.mlir").write_text(lowered.as_text())
    np.save(HERE / "prompt.npy", ids)
    np.save(HERE / "none.npy", np.zeros(1, np.int32))
    np.savez(HERE / "weights.npz", **{f"arg{1 + i}": np.asarray(a) for i, a in enumerate(leaves)})
    np.savez(HERE / "state.npz", **{f"arg{1 + len(leaves) + i}": np.asarray(a) for i, a in enumerate(state)})
    letter, end, *now = jax.jit(prompt)(ids, params, *state)
    text = TEXT[:PROMPT] + LETTERS[letter]
    while not end and len(text) < 100:
        letter, end, *now = jax.jit(step)(np.zeros(1, np.int32), params, *now)
        text += LETTERS[letter]
    print(text)
    first, a, b = 1, len(leaves), len(leaves) + len(state)
    (HERE / "job.yaml").write_text(f"""\
program: step.mlir               # one letter more
programs: {{prompt: prompt.mlir}}  # the first {PROMPT} letters of a text
parties: [alice, bob]
inputs:
  - {{owner: alice, file: none.npy, arg: 0}}      # of prompt.mlir: prompt.npy; step.mlir does not read it
  - {{owner: bob, file: weights.npz, args: [{', '.join(map(str, range(1, a + 1)))}], resident: true}}
  - {{public: true, file: state.npz, args: [{', '.join(map(str, range(a + 1, b + 1)))}]}}
state: {{{', '.join(f'{a + 1 + i}: {2 + i}' for i in range(len(state)))}}}        # cache, empty places, the last letter
outputs: {{reveal: [alice]}}       # the letter, and whether it ends the text
""")
    (HERE / "letters.txt").write_text("".join(LETTERS))


if __name__ == "__main__":
    main()
