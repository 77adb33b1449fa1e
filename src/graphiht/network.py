"""An undirected graph, checked once and held in compressed adjacency form."""

import numpy as np
from numpy.typing import ArrayLike

from graphiht._checks import check_costs, check_edges, check_int, check_names
from graphiht._pcst.workspace import Workspace, adjacency, make_workspace


class Network:
    """An undirected graph with positive edge costs; parallel edges and isolated nodes are allowed.

    Parameters
    ----------
    edges : array-like of int of shape (n_edges, 2)
        End nodes of each edge, in ``0 .. n_nodes - 1``; no self-loops.
    n_nodes : int
        Number of nodes.
    costs : array-like of float of shape (n_edges,), optional
        Positive, finite edge costs; all 1 by default.
    names : sequence of str of length n_nodes, optional
        Different names of the nodes. Where prizes are exactly equal, projections decide by the order of the names, so
        that the result does not depend on the order of the nodes; without names the numbers of the nodes decide.

    Attributes
    ----------
    indptr : ndarray of shape (n_nodes + 1,)
        Node u has positions ``indptr[u]:indptr[u + 1]`` of `neighbours` and `edge_ids`.
    neighbours, edge_ids : ndarray of shape (2 * n_edges,)
        Adjacent nodes, ascending for each node, and the edges to them.
    rank : ndarray of shape (n_nodes,)
        Position of each node in the order of names.

    See Also
    --------
    graphiht.graphs.as_network : Make a network from edges by name, networkx or scipy.

    Notes
    -----
    The projections write into scratch arrays of the network, so two threads must not use one network at the same
    time. Results do not depend on earlier use.

    Examples
    --------
    >>> from graphiht import Network
    >>> path = Network([[0, 1], [1, 2], [3, 4]], n_nodes=5)
    >>> path.components().tolist()
    [0, 0, 0, 1, 1]
    """

    def __init__(self, edges: ArrayLike, n_nodes: int, costs: ArrayLike | None = None, names: ArrayLike | None = None):
        self.n_nodes = check_int("n_nodes", n_nodes)
        self.edges = check_edges(edges, self.n_nodes)
        self.n_edges = len(self.edges)
        self.costs = np.ones(self.n_edges) if costs is None else check_costs(costs, self.n_edges)
        self.min_cost = float(self.costs.min()) if self.n_edges else 1.0
        self.indptr, self.arcs = adjacency(self.edges, self.costs, self.n_nodes)
        self.rank = np.arange(self.n_nodes, dtype=np.int32)
        if names is not None:
            self.rank[np.argsort(check_names(names, self.n_nodes))] = np.arange(self.n_nodes)
        self.neighbours = self.arcs["node"]
        self.edge_ids = self.arcs["edge"]
        self._workspace: Workspace | None = None

    def __repr__(self) -> str:
        return f"Network(n_nodes={self.n_nodes}, n_edges={self.n_edges})"

    def __getstate__(self) -> dict[str, object]:
        return {**self.__dict__, "_workspace": None}

    @property
    def workspace(self) -> Workspace:
        """Scratch arrays of the compiled kernels, allocated when first needed."""
        if self._workspace is None:
            self._workspace = make_workspace(self)
        return self._workspace

    def components(self) -> np.ndarray:
        """Return the connected component of every node.

        Returns
        -------
        ndarray of shape (n_nodes,)
            Numbers of components, in the order of their lowest nodes.
        """
        # Imported when needed: it takes longer than most fits.
        from scipy.sparse import csr_array
        from scipy.sparse.csgraph import connected_components

        arcs = (np.ones(2 * self.n_edges), self.neighbours, self.indptr)
        return connected_components(csr_array(arcs, shape=(self.n_nodes, self.n_nodes)), directed=False)[1]

    def n_components(self, nodes: ArrayLike) -> int:
        """Count the connected components of an induced subgraph.

        Parameters
        ----------
        nodes : array-like of int of shape (n,)
            Nodes of the subgraph.

        Returns
        -------
        int
        """
        sub, _ = self.subnetwork(nodes)
        return int(sub.components().max()) + 1 if sub.n_nodes else 0

    def subnetwork(self, nodes: ArrayLike) -> tuple["Network", np.ndarray]:
        """Return an induced subgraph.

        Parameters
        ----------
        nodes : array-like of int of shape (n,)
            Nodes to keep, in any order.

        Returns
        -------
        network : Network
            The subgraph, with the costs of this network. Its node i is ``nodes[i]`` here.
        nodes : ndarray of shape (n,)
            The nodes, sorted.
        """
        nodes = np.unique(np.asarray(nodes, dtype=np.int64))
        if len(nodes) == 0:
            raise ValueError("nodes must have at least one node; got none")
        if nodes[0] < 0 or nodes[-1] >= self.n_nodes:
            raise ValueError(f"nodes must be in 0..{self.n_nodes - 1}; got {nodes[0]}..{nodes[-1]}")
        position = np.full(self.n_nodes, -1, dtype=np.int64)
        position[nodes] = np.arange(len(nodes))
        ends = position[self.edges]
        inside = (ends >= 0).all(axis=1)
        # Ranks do for names: only their order counts.
        return Network(ends[inside], len(nodes), self.costs[inside], self.rank[nodes]), nodes

    def largest_component(self) -> tuple["Network", np.ndarray]:
        """Return the largest connected component; of equally large ones that of the lowest node.

        Returns
        -------
        network : Network
            The component.
        nodes : ndarray of shape (n,)
            Its nodes here, sorted.

        See Also
        --------
        subnetwork : The subgraph of any nodes.
        """
        labels = self.components()
        return self.subnetwork(np.flatnonzero(labels == np.bincount(labels).argmax()))
