"""The learner of every method: see `study.cv.model.Learner`."""

from study.data.studyfile import Study
from study.methods import Method


def make_learner(method: Method, settings: dict, study: Study):
    """Return the learner of a method on the network of a study.

    Only the module of that learner is imported, because starting a job takes as long as a second of fits.
    """
    if method.learner == "iht":
        from study.cv.iht import IHT as Learner
    elif method.learner == "pursuit":
        from study.cv.pursuit import Pursuit as Learner
    elif method.learner == "covariates":
        from study.cv.covariates import Covariates as Learner
    elif method.learner == "distilled":
        from study.cv.distilled import Distilled as Learner
    elif method.learner == "best_subset":
        from study.cv.best_subset import BestSubset as Learner
    elif method.learner == "t_statistics":
        from study.cv.t_statistics import TStatistics as Learner
    elif method.learner == "mean_difference":
        from study.cv.mean_difference import MeanDifference as Learner
    elif method.learner == "centroids":
        from study.cv.centroids import Centroids as Learner
    elif method.learner == "laplacian_ridge":
        from study.cv.laplacian_ridge import LaplacianRidge as Learner
    elif method.learner == "penalised":
        from study.cv.penalised import Ridge as Learner
    elif method.learner == "elastic_net":
        from study.cv.elastic_net import ElasticNet as Learner
    elif method.learner == "stability_selection":
        from study.cv.stability_selection import StabilitySelection as Learner
    else:
        raise ValueError(f"no learner {method.learner}")
    return Learner(method, settings, study)
