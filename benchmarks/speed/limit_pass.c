/* The least that a stage could do: look at every byte once. Built by benchmarks/speed/limit.py. */

#include <stddef.h>
#include <stdint.h>

#ifdef MARKS
#include <valgrind/callgrind.h>
/* Under callgrind, instructions since the last mark are written down under this name. */
void mark(const char *name) { CALLGRIND_DUMP_STATS_AT(name); }
#else
void mark(const char *name) { (void)name; }
#endif

/* The kind of each byte by a table, and a hash of the bytes of a kind: what a lexer that only counts words would do. */
uint64_t pass(const uint8_t *bytes, size_t count, const uint8_t *kind) {
    uint64_t hash = 14695981039346656037ULL, found = 0;
    for (size_t i = 0; i < count; i++) {
        hash = (hash ^ bytes[i]) * 1099511628211ULL;
        if (kind[bytes[i]]) {
            found += hash;
            hash = 14695981039346656037ULL;
        }
    }
    return found + hash;
}
