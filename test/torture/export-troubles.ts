import {pickInteger, type Random} from '../../src/sandbox/seed/random.js'
import type {Kind} from './whole-exports.js'

const route = 'reports.transactions'

/** What a service may do to a reader that changes no record of it. */
const troubles = [
  ...['reset-before', 'reset-after-commit', 'trunc-cl', 'trunc-chunked', 'close-delim'],
  ...['status(500)', 'status(503)', 'throttle', 'json([])', 'ctype(text/html)', 'hdr(page,77)', 'hdr(size,7)'],
  ...['json({"message":"Endpoint request timed out"})', 'hdr(search-range-end-date,2024-01-01T00:00:00)'],
]
/** By these, pages become smaller, and compressed bytes depend on where pages end. */
const forPlainOnly = ['status(502,html)', 'status(504,html)']

/** None for one file in five, else up to four: each on some requests by chance, and a session that ends. */
export function pickTroubles(random: Random, {isCompressed, pageSize}: Kind): string[] {
  if (pickInteger(random, 0, 4) === 0) return []
  const forSize = pageSize < 200 ? [] : ['status(413)']
  const known = isCompressed ? troubles : [...troubles, ...forPlainOnly, ...forPlainOnly, ...forSize, ...forSize]
  const picked = Array.from({length: pickInteger(random, 1, 3)}, () => known[pickInteger(random, 0, known.length - 1)])
  const session = pickInteger(random, 0, 2) === 0 ? [`token-expire(2)@${route}%8`] : []
  return [...new Set(picked)].map((name) => `${name}@${route}%${pickInteger(random, 2, 9)}`).concat(session)
}
