import type {RefusalEntry, WriteAnswer} from '../../src/client/types.js'
import type {JsonRecord} from '../../src/values/json.js'
import type {BulkOptions} from './flow.js'

/** How a refusal names the guilty: all of them, or the first, by place or by name; by nothing that helps; not at all. */
export type Pointing = 'index' | 'first' | 'name' | 'nonsense' | 'none'

export type VendorOptions = {
  guilty?: (record: JsonRecord) => boolean
  pointing?: Pointing
  code?: string
  status?: number
  /** Answers 413 to more records than this. */
  most?: number
  /** What is answered instead to the nth request, from 1. */
  instead?: Record<number, WriteAnswer | Error>
}

/** A service that applies a set whole or not at all, and remembers what it was sent and what it applied. */
export function createAtomicVendor(options: VendorOptions = {}) {
  const {guilty = () => false, pointing = 'index', most = Number.POSITIVE_INFINITY, instead = {}} = options
  const sets: string[][] = []
  const applied: string[] = []
  const write: BulkOptions['client']['write'] = async (_id, {records = []}) => {
    const names = records.map(({name}) => String(name))
    sets.push(names)
    const other = instead[sets.length]
    if (other instanceof Error) throw other
    if (other) return other
    if (records.length > most) return refuse(413, [{code: 'HTTP_413', message: 'Request Too Long', pointers: []}])
    const bad = records.flatMap((record, index) => (guilty(record) ? [index] : []))
    if (bad.length > 0) return refuse(options.status ?? 400, [toRefusal(bad, names)])
    const ids = records.map((_, index) => applied.length + index + 1)
    applied.push(...names)
    return {fate: 'applied', ids, records: []}
  }

  function toRefusal(bad: number[], names: string[]): RefusalEntry {
    const common = {code: options.code ?? 'SITE_VALIDATION', message: 'Not so.'}
    if (pointing === 'none') return {...common, pointers: []}
    if (pointing === 'nonsense') return {...common, pointers: ['#'], pointerName: 'colour'}
    if (pointing === 'name') return {...common, pointers: bad.map((index) => names[index] ?? ''), pointerName: 'Name'}
    return {...common, pointers: pointing === 'first' ? bad.slice(0, 1) : bad, pointerName: 'index'}
  }

  return {client: {write, async *readPages() {}}, sets, applied}
}

function refuse(status: number, refusals: RefusalEntry[]): WriteAnswer {
  return {fate: 'refused', status, refusals}
}
