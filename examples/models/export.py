"""Exports public models at their real sizes, with random weights, as jobs of two parties.

    pip install jax==0.6.2 flax==0.11.2 transformers==4.57.6 keras==3.12.0
    python export.py bert-base gpt2 vit-base       # or --all; into the folders out/bert-base, …
    tacet run out/bert-base/job.yaml

    python export.py gpt2-service gpt2-generate    # services: docs/models.md says how they are used
    python export.py gpt2-sample --temperature 0.8 --top-k 50 --top-p 0.95
    python export.py gpt2-beam --beams 4

Alice has the tokens, the image or the sound, Bob the model. All of both is secret, also the tokens' positions in
Bob's embedding. The programs are what jax.jit(f).lower(...).as_text() prints of the libraries' own modules. The
weights are random, with the initialisers of the libraries, so nothing is downloaded; costs do not depend on
weights. expected.npz has the same module's results in the clear, in 32-bit floats.
"""
import argparse
import os
from pathlib import Path

os.environ.setdefault("KERAS_BACKEND", "jax")

import jax
import jax.numpy as jnp
import numpy as np

HERE = Path(__file__).resolve().parent

JOB = """\
program: program.mlir
parties: [alice, bob]
inputs:
  - {{owner: alice, file: alice.npz, args: [{alice}]}}
  - {{owner: bob, file: bob.npz, args: [{bob}]}}
outputs:
  reveal: [alice]
expect: {{file: expected.npz, atol: {atol}, rtol: {atol}}}
"""

SERVICE = """\
program: step.mlir               # one token: the logits of the next one
programs: {{prompt: prompt.mlir}}  # the first {prompt} tokens of a text
parties: [alice, bob]
inputs:
  - {{owner: alice, file: token.npy, arg: 0}}   # of prompt.mlir: prompt.npy
  - {{owner: bob, file: bob.npz, args: [{bob}], resident: true}}
  - {{public: true, file: state.npz, args: [{state}]}}
state: {{{states}}}   # the mask of the cache's places, the position, keys and values
outputs: {{reveal: [alice]}}
"""

GENERATE = """\
program: step.mlir               # one token more
programs: {{prompt: prompt.mlir}}  # the first {prompt} tokens of a text, and one more
parties: [alice, bob]
inputs:
  - {{owner: alice, file: prompt.npy, arg: 0}}   # step.mlir reads no input of alice
{uniforms}  - {{owner: bob, file: bob.npz, args: [{bob}], resident: true}}
  - {{public: true, file: state.npz, args: [{state}]}}
state: {{{states}}}   # {what}
outputs: {{reveal: [alice]}}       # the token, and whether the text has ended
"""

BEAM = """\
program: step.mlir               # the search goes on by one token
programs:
  prompt: prompt.mlir            # the first {prompt} tokens of a text, and the first step of a search
  best: best.mlir                # the tokens of the best text, and its score
parties: [alice, bob]
inputs:
  - {{owner: alice, file: prompt.npy, arg: 0}}   # of prompt.mlir alone
  - {{owner: bob, file: bob.npz, args: [{bob}], resident: true}}
  - {{public: true, file: state.npz, args: [{state}]}}
state: {{{states}}}   # texts, their scores, and the cache
outputs: {{reveal: [alice]}}       # the number of tokens, and whether the search has ended
"""


def export(folder, function, data, params, atol):
    """Writes the job of function(*data, params): alice owns data, bob the leaves of params."""
    leaves, tree = jax.tree_util.tree_flatten(params)

    def flat(*arguments):
        return function(*arguments[:len(data)], jax.tree_util.tree_unflatten(tree, arguments[len(data):]))

    arguments = [np.asarray(a) for a in (*data, *leaves)]
    jitted = jax.jit(flat, keep_unused=True)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "program.mlir").write_text(jitted.lower(*arguments).as_text())
    of_alice, of_bob = range(len(data)), range(len(data), len(arguments))
    np.savez(folder / "alice.npz", **{f"arg{i}": arguments[i] for i in of_alice})
    np.savez(folder / "bob.npz", **{f"arg{i}": arguments[i] for i in of_bob})
    results = jax.tree_util.tree_leaves(jitted(*arguments))
    np.savez(folder / "expected.npz", **{f"out{i}": np.asarray(r) for i, r in enumerate(results)})
    names = {"alice": ", ".join(map(str, of_alice)), "bob": ", ".join(map(str, of_bob))}
    (folder / "job.yaml").write_text(JOB.format(atol=atol, **names))


def bert_base(rng):
    """BERT-base, one sentence of 128 tokens: the pooled vector."""
    from transformers import BertConfig, FlaxBertModel

    model = FlaxBertModel(BertConfig(), input_shape=(1, 128), seed=0)
    ids = rng.integers(0, 30522, (1, 128)).astype(np.int32)
    return lambda ids, params: model(ids, params=params).pooler_output, [ids], model.params, 1e-3


def gpt2(rng):
    """GPT-2 small, a prompt of 64 tokens: the logits of the next token."""
    from transformers import FlaxGPT2LMHeadModel, GPT2Config

    model = FlaxGPT2LMHeadModel(GPT2Config(), input_shape=(1, 64), seed=0)
    ids = rng.integers(0, 50257, (1, 64)).astype(np.int32)
    return lambda ids, params: model(ids, params=params).logits[:, -1], [ids], model.params, 2e-3


def gpt2_step(rng):
    """GPT-2 small, one token after a cache of 64 positions, 40 of them filled: its logits and the new cache."""
    from transformers import FlaxGPT2LMHeadModel, GPT2Config

    model = FlaxGPT2LMHeadModel(GPT2Config(), input_shape=(1, 64), seed=0)
    cache = model.init_cache(1, 64)
    before = rng.integers(0, 50257, (1, 40)).astype(np.int32)
    mask = np.ones((1, 64), np.int32)
    filled = model(before, params=model.params, past_key_values=cache, attention_mask=mask,
                   position_ids=np.arange(40)[None]).past_key_values
    # Where the cache ends is public: it counts the tokens.
    kept, tree = jax.tree_util.tree_flatten(filled)
    counts = {i: np.asarray(a) for i, a in enumerate(kept) if a.dtype == jnp.int32}
    arrays = [np.asarray(a) for i, a in enumerate(kept) if i not in counts]

    def step(token, params):
        weights, *rest = params
        rest = iter(rest)
        cache = jax.tree_util.tree_unflatten(tree, [counts[i] if i in counts else next(rest) for i in range(len(kept))])
        out = model(token, params=weights, past_key_values=cache, attention_mask=mask, position_ids=np.full((1, 1), 40))
        return out.logits[:, -1], out.past_key_values

    token = rng.integers(0, 50257, (1, 1)).astype(np.int32)
    return step, [token], [model.params, *arrays], 2e-3


class Cached:
    """A GPT-2 with a cache of so many places for each of so many texts. The cache is shifted, so that it ends at its last place: no operation
    depends on a position."""

    def __init__(self, config, places, texts=1):
        from transformers import FlaxGPT2LMHeadModel

        self.model = FlaxGPT2LMHeadModel(config, input_shape=(1, places), seed=0)
        self.places = places
        self.kept, self.tree = jax.tree_util.tree_flatten(self.model.init_cache(texts, places))
        self.counts = {i for i, a in enumerate(self.kept) if a.dtype == jnp.int32}  # where a cache ends
        leaves, self.parameters = jax.tree_util.tree_flatten(self.model.params)
        self.weights = [np.asarray(a) for a in leaves]
        # The first state: the mask of the cache's places, the position, keys and values.
        self.state = [np.zeros((texts, places), np.int32), np.zeros((texts, 1), np.int32),
                      *(np.asarray(a) for i, a in enumerate(self.kept) if i not in self.counts)]

    def __call__(self, tokens, weights, state):
        """The logits after the tokens, and the new state."""
        mask, position, *caches = state
        n = tokens.shape[1]
        shifted = iter(jnp.concatenate([c[:, n:], jnp.zeros_like(c[:, :n])], 1) for c in caches)
        ends = jnp.full((), self.places - n, jnp.int32)
        cache = jax.tree_util.tree_unflatten(self.tree, [ends if i in self.counts else next(shifted) for i in range(len(self.kept))])
        mask = jnp.concatenate([mask[:, n:], jnp.ones_like(mask[:, :n])], 1)
        out = self.model(tokens, params=jax.tree_util.tree_unflatten(self.parameters, weights), past_key_values=cache, attention_mask=mask,
                         position_ids=position + jnp.arange(n)[None])
        caches = [a for i, a in enumerate(jax.tree_util.tree_leaves(out.past_key_values)) if i not in self.counts]
        return out.logits[:, -1], [mask, position + n, *caches]


def write_gpt2_service(folder, rng, config, places, prompt):
    """Writes a service of two programs: a prompt of so many tokens, and one token after a cache of so many places."""
    cached = Cached(config, places)
    weights, state = cached.weights, cached.state

    def step(token, *arguments):
        logits, after = cached(token, arguments[:len(weights)], arguments[len(weights):])
        return (logits, *after)

    def first(tokens, *arguments):
        return step(tokens, *arguments[:len(weights)], *(jnp.zeros_like(a) for a in arguments[len(weights):]))

    tokens = rng.integers(0, config.vocab_size, (1, prompt)).astype(np.int32)
    token = rng.integers(0, config.vocab_size, (1, 1)).astype(np.int32)
    folder.mkdir(parents=True, exist_ok=True)
    fill, following = jax.jit(first, keep_unused=True), jax.jit(step, keep_unused=True)
    for name, function, ids in [("prompt", fill, tokens), ("step", following, token)]:
        (folder / f"{name}.mlir").write_text(function.lower(ids, *weights, *state).as_text())
    np.save(folder / "prompt.npy", tokens)
    np.save(folder / "token.npy", token)
    of_state = range(1 + len(weights), 1 + len(weights) + len(state))
    np.savez(folder / "bob.npz", **{f"arg{1 + i}": a for i, a in enumerate(weights)})
    np.savez(folder / "state.npz", **{f"arg{i}": a for i, a in zip(of_state, state)})
    (folder / "job.yaml").write_text(SERVICE.format(
        prompt=prompt, bob=", ".join(str(1 + i) for i in range(len(weights))), state=", ".join(map(str, of_state)),
        states=", ".join(f"{arg}: {1 + i}" for i, arg in enumerate(of_state))))
    # What greedy generation yields: the most probable tokens, and the logits that they have.
    out, chosen, logits = fill(tokens, *weights, *state), [], []
    for _ in range(6):
        logits.append(np.asarray(out[0][0]))
        chosen.append(int(logits[-1].argmax()))
        out = following(np.full((1, 1), chosen[-1], np.int32), *weights, *out[1:])
    np.savez(folder / "expected.npz", tokens=np.array(chosen, np.int32), logits=np.stack(logits))


NEVER = -1e4  # the score of a token that is not drawn


class Sampling:
    """How transformers' generate draws a token with do_sample=True: temperature, then top-k, then top-p.

    Argmax of scores and Gumbel noise draws from the softmax of the scores. The noise is made of uniform numbers of Alice, one for
    each of the k tokens that may be drawn.
    """

    def __init__(self, temperature, top_k, top_p):
        self.temperature, self.top_k, self.top_p = temperature, top_k, top_p

    def noise(self, uniforms):
        return -jnp.log(-jnp.log(jnp.clip(uniforms, 1e-6, 1 - 1e-6)))

    def choose(self, logits, noise):
        scores, tokens = jax.lax.top_k(logits, self.top_k)
        scores = (scores - scores[0]) / self.temperature  # the first one is 0, far above NEVER
        if self.top_p < 1:
            p = jax.nn.softmax(scores)
            scores = jnp.where(jnp.cumsum(p) - p < self.top_p, scores, NEVER)
        return tokens[jnp.argmax(scores + noise)].astype(jnp.int32)

    def choose_in_clear(self, logits, uniforms):
        """The same in NumPy with 64 bits, for comparison: all tokens sorted, as transformers does it."""
        order = np.argsort(-logits, kind="stable")
        scores = logits[order].astype(np.float64) / self.temperature
        scores[self.top_k:] = -np.inf
        p = np.exp(scores - scores[0])
        p /= p.sum()
        scores[np.cumsum(p) - p >= self.top_p] = -np.inf
        with np.errstate(divide="ignore"):
            return int(order[(scores[:self.top_k] - np.log(-np.log(uniforms))).argmax()])


def write_gpt2_generate(folder, rng, config, places, prompt, count, sampling=None):
    """Writes what transformers' generate does as a service of two programs: they choose the token themselves, greedily or by sampling, and
    keep it as state. count is the number of tokens that uniforms.npy suffices for; later ones are chosen greedily."""
    if count > places - prompt + 1:  # the cache then forgets the text's beginning, which the model without a cache reads
        raise SystemExit(f"--tokens: at most {places - prompt + 1} follow a prompt of {prompt} in a cache of {places} places, got {count}")
    cached = Cached(config, places)
    weights = cached.weights
    given = 1 if sampling is None else 2  # Alice's arguments
    end = config.eos_token_id
    # The state: the last token, whether the text has ended, noise for the tokens to come, and the cache.
    state = [np.zeros((1, 1), np.int32), np.zeros((), bool), *([] if sampling is None else [np.zeros((count, sampling.top_k), np.float32)]), *cached.state]

    def choose(logits, ended, noise):
        if sampling is None:
            token = jnp.argmax(logits).astype(jnp.int32)
        else:
            token = sampling.choose(logits, noise[0])
            noise = jnp.concatenate([noise[1:], jnp.zeros_like(noise[:1])])
        token = jnp.where(ended, end, token)  # what follows the end
        ended = token == end
        return token, ended, [token[None, None], ended, *([] if sampling is None else [noise])]

    def split(arguments):
        before, (token, ended, *rest) = arguments[given:given + len(weights)], arguments[given + len(weights):]
        return (before, token, ended, None, rest) if sampling is None else (before, token, ended, rest[0], rest[1:])

    def first(tokens, *arguments):
        before, _, ended, noise, caches = split((tokens, *arguments))
        logits, caches = cached(tokens, before, [jnp.zeros_like(c) for c in caches])
        noise = None if sampling is None else sampling.noise(arguments[0])
        token, ended, after = choose(logits[0], jnp.zeros_like(ended), noise)
        return (token, ended, *after, *caches)

    def step(tokens, *arguments):
        before, token, ended, noise, caches = split((tokens, *arguments))
        logits, caches = cached(token, before, caches)
        token, ended, after = choose(logits[0], ended, noise)
        return (token, ended, *after, *caches)

    tokens = rng.integers(0, config.vocab_size, (1, prompt)).astype(np.int32)
    uniforms = None if sampling is None else rng.uniform(size=(count, sampling.top_k)).astype(np.float32)
    of_alice = [tokens] if sampling is None else [tokens, uniforms]
    arguments = [*of_alice, *weights, *state]
    folder.mkdir(parents=True, exist_ok=True)
    fill, following = jax.jit(first, keep_unused=True), jax.jit(step, keep_unused=True)
    for name, function in [("prompt", fill), ("step", following)]:
        (folder / f"{name}.mlir").write_text(function.lower(*arguments).as_text())
    np.save(folder / "prompt.npy", tokens)
    if sampling is not None:
        np.save(folder / "uniforms.npy", uniforms)
    of_bob, of_state = range(given, given + len(weights)), range(given + len(weights), len(arguments))
    np.savez(folder / "bob.npz", **{f"arg{i}": arguments[i] for i in of_bob})
    np.savez(folder / "state.npz", **{f"arg{i}": arguments[i] for i in of_state})
    (folder / "job.yaml").write_text(GENERATE.format(
        prompt=prompt, bob=", ".join(map(str, of_bob)), state=", ".join(map(str, of_state)),
        states=", ".join(f"{arg}: {2 + i}" for i, arg in enumerate(of_state)),
        uniforms="" if sampling is None else "  - {owner: alice, file: uniforms.npy, arg: 1}  # numbers between 0 and 1, new ones for each text\n",
        what="the token, whether the text has ended, " + ("" if sampling is None else "noise, ") + "the mask of the cache's places, the position, keys and values"))
    out, chosen = fill(*arguments), []
    for _ in range(count):
        chosen.append(int(out[0]))
        out = following(*of_alice, *weights, *out[2:])
    np.savez(folder / "expected.npz", tokens=np.array(chosen, np.int32))
    compare(cached.model, tokens, uniforms, chosen, end, sampling)


def compare(model, tokens, uniforms, chosen, end, sampling):
    """Compares the tokens of the two programs, in clear, with those of the model without a cache."""
    text = np.zeros((1, tokens.shape[1] + len(chosen)), np.int32)
    text[:, :tokens.shape[1]] = tokens
    whole = jax.jit(lambda text: model(text).logits)  # causal: what follows a place does not matter
    for i, token in enumerate(chosen):
        place = tokens.shape[1] + i
        logits = np.asarray(whole(text))[0, place - 1]
        want = int(logits.argmax()) if sampling is None else sampling.choose_in_clear(logits, uniforms[i].astype(np.float64))
        if i > 0 and text[0, place - 1] == end:
            want = end
        if token != want:
            raise SystemExit(f"token {i} is {token} by the programs and {want} by the model without a cache")
        text[0, place] = token
    if sampling is None:
        generated = model.generate(tokens, max_new_tokens=len(chosen), do_sample=False, eos_token_id=end, pad_token_id=end).sequences
        if not np.array_equal(np.asarray(generated), text):
            raise SystemExit(f"transformers' generate yields {np.asarray(generated)}, the programs {text}")
    print(f"{len(chosen)} tokens, as the model without a cache{'' if sampling else ' and its generate'}: {chosen}")


class Beams:
    """Beam search as transformers' generate has it (num_beams, length_penalty, early_stopping=False), token by token.

    A search is a list of arrays: the tokens of the texts that go on, by probability, and their scores, the same of texts that have ended
    and which of these are texts; a mark at the place of the next token; for each token to come what a score is multiplied by; the number
    of tokens, and whether the search has ended.
    """

    def __init__(self, beams, count, end, length_penalty):
        self.beams, self.count, self.end, self.length_penalty = beams, count, end, length_penalty

    def start(self):
        """The search before the first token, for all of which one text goes on."""
        texts = np.full((self.beams, self.count), self.end, np.int32)
        scores = np.full(self.beams, NEVER, np.float32)
        penalties = (1 / np.arange(1, self.count + 1, dtype=np.float64) ** self.length_penalty).astype(np.float32)
        mark = (np.arange(self.count) == 0).astype(np.int32)
        return [texts, np.zeros(self.beams, np.float32), texts, scores, np.zeros(self.beams, bool), mark, penalties, np.zeros((), np.int32),
                np.zeros((), bool)]

    def advance(self, logits, search):
        """The search one token later, which each text of it that goes on is read at, and whose cache each of these continues. logits has
        a row for each text; that of a prompt is the first token's."""
        texts, scores, done, done_scores, is_done, mark, penalties, number, ended = search
        texts, scores, wide = texts[:len(logits)], scores[:len(logits)], 2 * self.beams
        # The best tokens of each text, and of these the best ones of all.
        values, tokens = jax.lax.top_k(logits, wide)
        values = values - jax.nn.logsumexp(logits, 1, keepdims=True) + scores[:, None]
        values, at = jax.lax.top_k(values.reshape(-1), wide)
        source, tokens = at // wide, tokens.reshape(-1)[at].astype(jnp.int32)
        texts = texts[source] + mark * (tokens[:, None] - self.end)  # end stands where no token is yet
        ends = tokens == self.end
        scores, going = jax.lax.top_k(jnp.where(ends, values + NEVER, values), self.beams)
        done_scores, kept = jax.lax.top_k(jnp.concatenate([done_scores, jnp.where(ends, values * penalties[0], NEVER)]), self.beams)
        done = jnp.concatenate([done, texts])[kept]
        is_done = jnp.concatenate([is_done, ends])[kept]
        after = [texts[going], scores, done, done_scores, is_done]
        if len(logits) == self.beams:  # what follows the end of a search
            after = [jnp.where(ended, old, new) for old, new in zip(search, after)]
        better = scores[0] * penalties[0] > done_scores[-1]  # a text that goes on may become one of the best
        last = mark[-1] == 1
        number = number + jnp.where(ended, 0, 1)
        ended = ended | last | (jnp.all(is_done) & ~better)
        shifted = [jnp.concatenate([a[1:], jnp.zeros_like(a[:1])]) for a in (penalties, mark[::-1])]
        return [*after, shifted[1][::-1], shifted[0], number, ended], tokens[going][:, None], source[going]

    def best(self, search):
        """The tokens of the best text, and its score. A text that has ended is preferred, and end follows its end."""
        texts, scores, done, done_scores, is_done = search[:5]
        any_done = jnp.any(is_done)
        return jnp.where(any_done, done[0], texts[0]), jnp.where(any_done, done_scores[0], scores[0])


def write_gpt2_beam(folder, rng, config, places, prompt, count, beams, length_penalty):
    """Writes beam search as a service of three programs: a prompt and the first step of the search, a further step, and the best text.
    What the search knows stays as shares; count is the largest number of tokens."""
    if count > places - prompt + 1:
        raise SystemExit(f"--tokens: at most {places - prompt + 1} follow a prompt of {prompt} in a cache of {places} places, got {count}")
    cached = Cached(config, places, beams)
    weights, end = cached.weights, config.eos_token_id
    beam = Beams(beams, count, end, length_penalty)
    start = beam.start()
    state = [np.zeros((beams, 1), np.int32), *start, *cached.state]  # the last tokens, the search, the cache
    masks = 2                                                          # arrays of the cache that all texts share

    def following(logits, search, caches):
        search, tokens, source = beam.advance(logits, search)
        caches = [jnp.broadcast_to(c[:1], (beams, *c.shape[1:])) if len(logits) == 1 or i < masks else c[source] for i, c in enumerate(caches)]
        return (*search[-2:], tokens, *search, *caches)

    def split(arguments):
        arguments = arguments[1:]
        return arguments[:len(weights)], arguments[len(weights)], arguments[len(weights) + 1:][:len(start)], arguments[len(weights) + 1 + len(start):]

    def first(ids, *arguments):
        before, _, _, caches = split((ids, *arguments))
        logits, caches = cached(ids, before, [jnp.zeros_like(c[:1]) for c in caches])
        return following(logits, [jnp.asarray(a) for a in start], caches)

    def step(*arguments):
        before, tokens, search, caches = split(arguments)
        logits, caches = cached(tokens, before, caches)
        return following(logits, search, caches)

    def best(*arguments):
        _, _, search, _ = split(arguments)
        return (*beam.best(search), *arguments[1 + len(weights):])

    tokens = rng.integers(0, config.vocab_size, (1, prompt)).astype(np.int32)
    arguments = [tokens, *weights, *state]
    folder.mkdir(parents=True, exist_ok=True)
    programs = {name: jax.jit(f, keep_unused=True) for name, f in [("prompt", first), ("step", step), ("best", best)]}
    for name, function in programs.items():
        (folder / f"{name}.mlir").write_text(function.lower(*arguments).as_text())
    np.save(folder / "prompt.npy", tokens)
    of_bob, of_state = range(1, 1 + len(weights)), range(1 + len(weights), len(arguments))
    np.savez(folder / "bob.npz", **{f"arg{i}": arguments[i] for i in of_bob})
    np.savez(folder / "state.npz", **{f"arg{i}": arguments[i] for i in of_state})
    (folder / "job.yaml").write_text(BEAM.format(
        prompt=prompt, bob=", ".join(map(str, of_bob)), state=", ".join(map(str, of_state)),
        states=", ".join(f"{arg}: {2 + i}" for i, arg in enumerate(of_state))))
    out = programs["prompt"](*arguments)
    while not out[1]:
        out = programs["step"](tokens, *weights, *out[2:])
    steps = int(out[0])
    out = programs["best"](tokens, *weights, *out[2:])
    chosen = np.asarray(out[0])
    np.savez(folder / "expected.npz", tokens=chosen, steps=np.int32(steps))
    generated = np.asarray(cached.model.generate(
        tokens, max_new_tokens=count, num_beams=beams, do_sample=False, early_stopping=False, length_penalty=length_penalty,
        eos_token_id=end, pad_token_id=end).sequences)[0, prompt:]
    if not np.array_equal(generated, chosen):
        raise SystemExit(f"transformers' generate yields {generated}, the programs {chosen}")
    print(f"{count} tokens in {steps} steps, as the model's generate: {chosen.tolist()}")


def gpt2_service(folder, rng, options):
    """GPT-2 small as a service: a prompt of 16 tokens, then token by token with a cache of 64 places."""
    from transformers import GPT2Config

    write_gpt2_service(folder, rng, GPT2Config(), places=64, prompt=16)


def gpt2_tiny(folder, rng, options):
    """The same service of a GPT-2 of one layer, for tests."""
    from transformers import GPT2Config

    write_gpt2_service(folder, rng, GPT2Config(vocab_size=48, n_positions=16, n_embd=16, n_layer=1, n_head=2), places=8, prompt=4)


def gpt2_generate(folder, rng, options):
    """GPT-2 small as a service that generates greedily: a prompt of 16 tokens, then token by token with a cache of 64 places."""
    from transformers import GPT2Config

    write_gpt2_generate(folder, rng, GPT2Config(), 64, 16, options.tokens)


def gpt2_sample(folder, rng, options):
    """The same service that draws tokens: --temperature, --top-k, --top-p."""
    from transformers import GPT2Config

    write_gpt2_generate(folder, rng, GPT2Config(), 64, 16, options.tokens, Sampling(options.temperature, options.top_k, options.top_p))


def gpt2_beam(folder, rng, options):
    """The same service with beam search: --beams, --length-penalty."""
    from transformers import GPT2Config

    write_gpt2_beam(folder, rng, GPT2Config(), 64, 16, options.tokens, options.beams, options.length_penalty)


def tiny(end):
    from transformers import GPT2Config

    return GPT2Config(vocab_size=48, n_positions=32, n_embd=16, n_layer=1, n_head=2, eos_token_id=end, initializer_range=0.3)


def gpt2_tiny_generate(folder, rng, options):
    """The service of gpt2-generate with a GPT-2 of one layer, for tests."""
    write_gpt2_generate(folder, rng, tiny(22), 16, 4, 10)


def gpt2_tiny_sample(folder, rng, options):
    """The service of gpt2-sample with a GPT-2 of one layer, for tests."""
    write_gpt2_generate(folder, rng, tiny(18), 16, 4, 10, Sampling(0.8, 6, 0.9))


def gpt2_tiny_beam(folder, rng, options):
    """The service of gpt2-beam with a GPT-2 of one layer, for tests."""
    write_gpt2_beam(folder, rng, tiny(19), 16, 4, 10, 3, 0.0)


def vit_base(rng):
    """ViT-base, patches of 16, one image of 224 by 224: the class scores."""
    from transformers import FlaxViTForImageClassification, ViTConfig

    model = FlaxViTForImageClassification(ViTConfig(num_labels=1000), seed=0)
    image = rng.normal(size=(1, 3, 224, 224)).astype(np.float32)
    return lambda image, params: model(image, params=params).logits, [image], model.params, 2e-3


def whisper_tiny(rng):
    """The encoder of Whisper-tiny on 30 seconds of sound (80 bands, 3,000 frames)."""
    from transformers import FlaxWhisperModel, WhisperConfig

    config = WhisperConfig(encoder_layers=4, decoder_layers=1, encoder_attention_heads=6, decoder_attention_heads=6,
                           d_model=384, encoder_ffn_dim=1536, decoder_ffn_dim=1536)
    model = FlaxWhisperModel(config, seed=0)
    sound = rng.normal(size=(1, 80, 3000)).astype(np.float32)

    def encode(sound, encoder):
        return model.encode(sound, params={**model.params, "encoder": encoder}).last_hidden_state

    return encode, [sound], model.params["encoder"], 5e-3


def forest(rng):
    """Rows, and Bob's features, thresholds and leaves of 100 trees of depth 6."""
    nodes = 2**7 - 1
    features = rng.integers(0, 30, (100, nodes)).astype(np.int32)
    thresholds = rng.normal(size=(100, nodes)).astype(np.float32)
    leaves = (0.1 * rng.normal(size=(100, nodes))).astype(np.float32)
    return [rng.normal(size=(64, 30)).astype(np.float32)], [features, thresholds, leaves]


def trees(rng):
    """100 boosted trees of depth 6 on 64 rows of 30 features, as XGBoost has them: the rows' scores."""
    rows, params = forest(rng)

    def score(x, params):
        features, thresholds, leaves = params
        tree = jnp.arange(len(features))[None, :]
        node = jnp.zeros((len(x), len(features)), jnp.int32)
        for _ in range(6):
            value = jnp.take_along_axis(x, features[tree, node], axis=1)
            node = 2 * node + 1 + (value >= thresholds[tree, node])
        return leaves[tree, node].sum(1)

    return score, rows, params, 1e-3


def trees_mixed(rng):
    """The same scores in fewer rounds: of the first levels all nodes' differences are computed, and leaves are looked up by fours."""
    compared, below, depth = 3, 2, 6  # levels whose nodes are all computed; levels below the look-up of leaves
    rows, params = forest(rng)

    def score(x, params):
        features, thresholds, leaves = params
        tree = jnp.arange(len(features))[None, :]
        node = jnp.zeros((len(x), len(features)), jnp.int32)  # within its level
        for level in range(depth):
            if level == depth - below:
                reached = leaves[:, 2**depth - 1:].reshape(len(leaves), 2**level, 2**below)[tree, node]
            nodes = slice(2**level - 1, 2 ** (level + 1) - 1)
            if level < compared:  # a product with one-hot vectors, which Bob makes, and a look-up in 2**level differences
                selects = jax.nn.one_hot(features[:, nodes].reshape(-1), x.shape[1], dtype=x.dtype)
                over = (x @ selects.T).reshape(len(x), len(features), 2**level) - thresholds[None, :, nodes]
                right = jnp.take_along_axis(over, node[..., None], axis=2)[..., 0] >= 0
            else:  # look-ups of a feature, a threshold and an element of the row
                at = node + 2**level - 1
                right = jnp.take_along_axis(x, features[tree, at], axis=1) >= thresholds[tree, at]
            if level >= depth - below:
                half = reached.shape[-1] // 2
                reached = jnp.where(right[..., None], reached[..., half:], reached[..., :half])
            node = 2 * node + right
        return reached[..., 0].sum(1)

    return score, rows, params, 1e-3


def keras_model(name):
    def make(rng):
        import keras

        keras.utils.set_random_seed(0)
        model = getattr(keras.applications, name)(weights=None)
        image = rng.normal(size=(1, 224, 224, 3)).astype(np.float32)
        fixed = [np.asarray(v.value) for v in model.non_trainable_variables]
        trained = [np.asarray(v.value) for v in model.trainable_variables]

        def apply(image, params):
            return model.stateless_call(params[0], params[1], image, training=False)[0]

        return apply, [image], [trained, fixed], 2e-3

    make.__doc__ = f"keras.applications.{name}, one image of 224 by 224: the class probabilities."
    return make


MODELS = {
    "bert-base": bert_base,
    "gpt2": gpt2,
    "gpt2-step": gpt2_step,
    "vit-base": vit_base,
    "whisper-tiny": whisper_tiny,
    "trees": trees,
    "trees-mixed": trees_mixed,
    "resnet50": keras_model("ResNet50"),
    "mobilenetv2": keras_model("MobileNetV2"),
    "efficientnetb0": keras_model("EfficientNetB0"),
}

SERVICES = {
    "gpt2-service": gpt2_service,
    "gpt2-generate": gpt2_generate,
    "gpt2-sample": gpt2_sample,
    "gpt2-beam": gpt2_beam,
    "gpt2-tiny": gpt2_tiny,
    "gpt2-tiny-generate": gpt2_tiny_generate,
    "gpt2-tiny-sample": gpt2_tiny_sample,
    "gpt2-tiny-beam": gpt2_tiny_beam,
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*", metavar="MODEL", help=", ".join([*MODELS, *SERVICES]))
    parser.add_argument("--all", action="store_true", help="export all models")
    parser.add_argument("--out", type=Path, default=HERE / "out", help="folder of the jobs (default: out beside this script)")
    parser.add_argument("--tokens", type=int, default=20, metavar="N", help="tokens that gpt2-generate and gpt2-sample generate in clear, and the most of gpt2-beam (default: 20)")
    parser.add_argument("--temperature", type=float, default=1.0, help="gpt2-sample: what logits are divided by (default: 1)")
    parser.add_argument("--top-k", type=int, default=50, metavar="K", help="gpt2-sample: the number of tokens that may be drawn (default: 50)")
    parser.add_argument("--top-p", type=float, default=1.0, metavar="P", help="gpt2-sample: draw from the most probable tokens, up to P in all (default: 1)")
    parser.add_argument("--beams", type=int, default=4, metavar="N", help="gpt2-beam: the number of texts that go on (default: 4)")
    parser.add_argument("--length-penalty", type=float, default=1.0, metavar="X",
                        help="gpt2-beam: a score is divided by the number of tokens to this power (default: 1)")
    arguments = parser.parse_args()
    if arguments.tokens < 1 or not 1 <= arguments.top_k <= 50257 or not 0 < arguments.top_p <= 1 or not arguments.temperature > 0:
        parser.error("--tokens and --top-k are at least 1, --temperature is above 0, and --top-p between 0 and 1")
    if not 1 <= arguments.beams <= 16 or not -4 <= arguments.length_penalty <= 4:
        parser.error("--beams is between 1 and 16, --length-penalty between -4 and 4")
    everything = {**MODELS, **SERVICES}
    names = list(everything) if arguments.all else arguments.models
    if not names:
        parser.error("no model is named: name some of " + ", ".join(everything) + ", or say --all")
    for name in names:
        if name not in everything:
            parser.error(f"{name} is no model here: " + ", ".join(everything))
    for name in names:
        rng = np.random.default_rng(0)
        if name in SERVICES:
            SERVICES[name](arguments.out / name, rng, arguments)
        else:
            export(arguments.out / name, *MODELS[name](rng))
        print(f"{arguments.out / name}/job.yaml: {everything[name].__doc__}")


if __name__ == "__main__":
    main()
