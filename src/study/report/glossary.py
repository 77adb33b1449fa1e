"""The glossary of the page, and the papers that it cites."""

GLOSSARY = {
    "balanced error": "The mean of two shares: missed events, and false alarms among the others, at the "
    "cut-off chosen on training patients. 0 is perfect, 0.5 is guessing, whatever the share of events.",
    "AUC": "The probability that a random patient with the event gets a higher score than a random one "
    "without. 1 is perfect, 0.5 is guessing.",
    "concordance": "Of two patients of whom one is known to have the event first, the probability that she gets the "
    "higher score (Harrell's). 1 is perfect, 0.5 is guessing.",
    "head projection": "Given a gradient, a connected set of genes that holds at least a fixed share of "
    "the gradient's energy that any such set could hold.",
    "tail projection": "Given a vector of weights, a connected set of genes so that what is cut off is at "
    "most a fixed multiple of the least that must be cut off.",
    "stability": "How similar the gene sets of different folds are, corrected for chance (Nogueira et al. "
    "2018): 1 means the same genes every time, 0 means as similar as random sets of that size. Folds share "
    "patients, so that fits to permuted outcomes, which have nothing to find, are above 0 too.",
}

REFERENCES = {
    "vijver": "van de Vijver MJ et al. A gene-expression signature as a predictor of survival in breast "
    "cancer. N Engl J Med 347:1999–2009, 2002.",
    "blumensath": "Blumensath T, Davies ME. Iterative hard thresholding for compressed sensing. Appl "
    "Comput Harmon Anal 27:265–274, 2009.",
    "hegde": "Hegde C, Indyk P, Schmidt L. A nearly-linear time framework for graph-structured sparsity. ICML 2015.",
    "nguyen": "Nguyen N, Needell D, Woolf T. Linear convergence of stochastic iterative greedy algorithms "
    "with sparse constraints. IEEE Trans Inf Theory 63:6869–6895, 2017.",
    "zhou": "Zhou B, Chen F, Ying Y. Stochastic iterative hard thresholding for graph-structured sparsity "
    "optimization. ICML 2019.",
    "johnson": "Johnson R, Zhang T. Accelerating stochastic gradient descent using predictive variance "
    "reduction. NeurIPS 2013.",
    "lei": "Lei L, Jordan MI. Less than a single pass: stochastically controlled stochastic gradient. AISTATS 2017.",
    "paper": "Stochastic Variance-Reduced Iterative Hard Thresholding in Graph Sparsity Optimization (the "
    "paper this study implements).",
    "nadeau": "Nadeau C, Bengio Y. Inference for the generalization error. Mach Learn 52:239–281, 2003.",
    "nogueira": "Nogueira S, Sechidis K, Brown G. On the stability of feature selection algorithms. JMLR "
    "18(174):1–54, 2018.",
    "shah": "Shah RD, Samworth RJ. Variable selection with error control: another look at stability "
    "selection. J R Stat Soc B 75:55–80, 2013.",
    "benjamini": "Benjamini Y, Hochberg Y. Controlling the false discovery rate. J R Stat Soc B 57:289–300, 1995.",
    "venet": "Venet D, Dumont JE, Detours V. Most random gene expression signatures are significantly "
    "associated with breast cancer outcome. PLoS Comput Biol 7:e1002240, 2011.",
    "pedregosa": "Pedregosa F et al. Scikit-learn: machine learning in Python. JMLR 12:2825–2830, 2011.",
    "molder": "Mölder F et al. Sustainable data analysis with Snakemake. F1000Research 10:33, 2021.",
}
