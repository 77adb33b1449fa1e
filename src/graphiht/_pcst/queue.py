"""Binary min-heaps of (key, item) in preallocated arrays."""

from graphiht._jit import kernel


@kernel
def push(heap, n, key, item):
    """Add (key, item) to the heap of n entries; return n + 1."""
    place = n
    while place > 0:
        above = (place - 1) >> 1
        if heap[above].key <= key:
            break
        heap[place].key = heap[above].key
        heap[place].item = heap[above].item
        place = above
    heap[place].key = key
    heap[place].item = item
    return n + 1


@kernel
def pop(heap, n):
    """Remove the first entry of the heap of n entries; return n - 1.

    The gap goes down to the bottom along the smaller children, and the last entry up from there: it nearly
    always stays low, and choosing a child by arithmetic spares the processor a guess at every level.
    """
    n -= 1
    key, item = heap[n].key, heap[n].item
    place, below = 0, 1
    while below + 1 < n:
        below += heap[below + 1].key < heap[below].key
        heap[place].key = heap[below].key
        heap[place].item = heap[below].item
        place, below = below, 2 * below + 1
    if below < n:
        heap[place].key = heap[below].key
        heap[place].item = heap[below].item
        place = below
    push(heap, place, key, item)
    return n


@kernel
def sink(heap, n, place, key, item):
    """Put (key, item) at `place` or below it, where it belongs."""
    while True:
        below = 2 * place + 1
        if below >= n:
            break
        if below + 1 < n and heap[below + 1].key < heap[below].key:
            below += 1
        if heap[below].key >= key:
            break
        heap[place].key = heap[below].key
        heap[place].item = heap[below].item
        place = below
    heap[place].key = key
    heap[place].item = item


@kernel
def heapify(heap, n):
    """Turn n entries in any order into a heap, in linear time."""
    for place in range(n // 2 - 1, -1, -1):
        sink(heap, n, place, heap[place].key, heap[place].item)
