"""Exports public models at their real sizes, with random weights, as jobs of two parties.

    pip install jax==0.6.2 flax==0.11.2 transformers==4.57.6 keras==3.12.0
    python export.py bert-base gpt2 vit-base       # or --all; into the folders out/bert-base, …
    tacet run out/bert-base/job.yaml

    python export.py gpt2-service                  # a service: docs/models.md says how it is used

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


def write_gpt2_service(folder, rng, config, places, prompt):
    """Writes a service of two programs: a prompt of so many tokens, and one token after a cache of so many places."""
    from transformers import FlaxGPT2LMHeadModel

    model = FlaxGPT2LMHeadModel(config, input_shape=(1, places), seed=0)
    kept, tree = jax.tree_util.tree_flatten(model.init_cache(1, places))
    counts = {i for i, a in enumerate(kept) if a.dtype == jnp.int32}  # where a cache ends: it is shifted, so that it ends at its last place
    leaves, parameters = jax.tree_util.tree_flatten(model.params)

    def forward(tokens, weights, mask, position, caches):
        n = tokens.shape[1]
        shifted = iter(jnp.concatenate([c[:, n:], jnp.zeros_like(c[:, :n])], 1) for c in caches)
        ends = jnp.full((), places - n, jnp.int32)
        cache = jax.tree_util.tree_unflatten(tree, [ends if i in counts else next(shifted) for i in range(len(kept))])
        mask = jnp.concatenate([mask[:, n:], jnp.ones((1, n), jnp.int32)], 1)
        out = model(tokens, params=jax.tree_util.tree_unflatten(parameters, weights), past_key_values=cache, attention_mask=mask,
                    position_ids=position + jnp.arange(n)[None])
        caches = [a for i, a in enumerate(jax.tree_util.tree_leaves(out.past_key_values)) if i not in counts]
        return (out.logits[:, -1], mask, position + n, *caches)

    def split(arguments):
        weights, (mask, position, *caches) = arguments[:len(leaves)], arguments[len(leaves):]
        return weights, mask, position, caches

    def step(token, *arguments):
        return forward(token, *split(arguments))

    def first(tokens, *arguments):
        weights, mask, position, caches = split(arguments)
        return forward(tokens, weights, jnp.zeros_like(mask), jnp.zeros_like(position), [jnp.zeros_like(c) for c in caches])

    state = [np.zeros((1, places), np.int32), np.zeros((1, 1), np.int32), *(np.asarray(a) for i, a in enumerate(kept) if i not in counts)]
    weights = [np.asarray(a) for a in leaves]
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


def gpt2_service(folder, rng):
    """GPT-2 small as a service: a prompt of 16 tokens, then token by token with a cache of 64 places."""
    from transformers import GPT2Config

    write_gpt2_service(folder, rng, GPT2Config(), places=64, prompt=16)


def gpt2_tiny(folder, rng):
    """The same service of a GPT-2 of one layer, for tests."""
    from transformers import GPT2Config

    write_gpt2_service(folder, rng, GPT2Config(vocab_size=48, n_positions=16, n_embd=16, n_layer=1, n_head=2), places=8, prompt=4)


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


def trees(rng):
    """100 boosted trees of depth 6 on 64 rows of 30 features, as XGBoost has them: the rows' scores."""
    depth, nodes = 6, 2**7 - 1
    features = rng.integers(0, 30, (100, nodes)).astype(np.int32)
    thresholds = rng.normal(size=(100, nodes)).astype(np.float32)
    leaves = (0.1 * rng.normal(size=(100, nodes))).astype(np.float32)

    def score(x, params):
        features, thresholds, leaves = params
        tree = jnp.arange(len(features))[None, :]
        node = jnp.zeros((len(x), len(features)), jnp.int32)
        for _ in range(depth):
            value = jnp.take_along_axis(x, features[tree, node], axis=1)
            node = 2 * node + 1 + (value >= thresholds[tree, node])
        return leaves[tree, node].sum(1)

    return score, [rng.normal(size=(64, 30)).astype(np.float32)], [features, thresholds, leaves], 1e-3


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
    "resnet50": keras_model("ResNet50"),
    "mobilenetv2": keras_model("MobileNetV2"),
    "efficientnetb0": keras_model("EfficientNetB0"),
}

SERVICES = {"gpt2-service": gpt2_service, "gpt2-tiny": gpt2_tiny}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*", metavar="MODEL", help=", ".join([*MODELS, *SERVICES]))
    parser.add_argument("--all", action="store_true", help="export all models")
    parser.add_argument("--out", type=Path, default=HERE / "out", help="folder of the jobs (default: out beside this script)")
    arguments = parser.parse_args()
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
            SERVICES[name](arguments.out / name, rng)
        else:
            export(arguments.out / name, *MODELS[name](rng))
        print(f"{arguments.out / name}/job.yaml: {everything[name].__doc__}")


if __name__ == "__main__":
    main()
