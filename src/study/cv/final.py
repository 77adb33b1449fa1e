"""The signature of all patients: settings chosen by one cross-validation, one fit, one cut-off."""

import numpy as np

from graphiht.signature import Signature
from study.cv.nested import Standardiser, as_chosen, standardiser, tune
from study.cv.outcome import Outcome
from study.cv.splits import Splits, generator, stratified
from study.data.studyfile import Study
from study.methods import Method
from study.stats.scores import best_threshold


def final_model(method: Method, learner, study: Study, settings: dict) -> Signature:
    """Return the signature of a method, fitted to all patients. The caller adds the provenance.

    One inner cross-validation of all patients chooses the settings, as in every outer training set of the study. Its
    folds and draws have their own seed, so they differ from those of the study. The cut-off comes from the scores of
    the fits that left each patient out; a risk of Cox's model is cut at their median.
    """
    outcome, everyone = Outcome.of(study, settings), np.arange(len(study.y))
    seed = int(generator(settings["seed"], 0, 0, "final model").integers(2**31))
    if study.is_pooled:
        inner = np.unique(study.source, return_inverse=True)[1].astype(np.int8) + 1
    else:
        inner = stratified(outcome.y, settings["inner_folds"], generator(seed, 1, 1, "inner folds"))
    splits = Splits(np.zeros((1, len(study.y)), np.int8), inner[None, None])
    tuned = tune(method, learner, study, outcome, splits, 1, 1, settings | {"seed": seed})
    point = tuned.point
    rows, weights = outcome.ipcw_weights(everyone, everyone)
    X = standardiser(study, everyone)(study.design[rows])
    model = learner.fit(X, outcome.target[rows], point, generator(seed, 1, 1, "refit"), weights)
    scaling = None if study.is_pooled else Standardiser(study.design, str(study.missing))
    names, held_out = study.covariate_names.tolist(), tuned.scores[tuned.best][rows]
    columns = [*model.genes, *range(len(study.symbol), study.design.shape[1])]
    return Signature(
        method=method.name,
        symbol=[*study.symbol[model.genes].tolist(), *names],
        entrez=[*study.entrez[model.genes].tolist(), *(0 for _ in names)],
        weights=[*model.weights.tolist(), *model.covariates.tolist()],
        mean=None if scaling is None else scaling.mean[columns].tolist(),
        scale=None if scaling is None else scaling.scale[columns].tolist(),
        intercept=float(model.intercept),
        cut_off=float(np.median(held_out)) if outcome.is_cox else best_threshold(outcome.y[rows], held_out, weights),
        edges=_edges_between(model.genes, study) if method.uses_network else [],
        settings=settings | as_chosen(method, point) | ({"survival": True} if outcome.is_cox else {}),
        training={
            "patients": len(study.y),
            "events": int(study.y.sum()),
            "status": model.status,
            "inner_error": float(tuned.errors[tuned.best]),
        },
        covariates=names,
    )


def _edges_between(genes: np.ndarray, study: Study) -> list[list[str]]:
    """Return the edges of the network between some genes, by symbol and in their order."""
    inside = study.edges[np.isin(study.edges, genes).all(axis=1)]
    return sorted(sorted(pair) for pair in study.symbol[inside].tolist())
