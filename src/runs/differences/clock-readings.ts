import type {Page} from '../../client/types.js'
import type {BootMoment} from '../../core/clock.js'
import type {JournalPart} from '../journal/journal-entries.js'
import type {RunFacts, ServiceMoment} from '../journal/run-facts.js'
import type {Reader} from '../records/read-at-most.js'

export type ClockReader = {
  /** What the last answer said; undefined when none did. */
  readonly last: ServiceMoment | undefined
  /** The same read, which looks at the clock as well. */
  watch(readPages: Reader['readPages']): Reader['readPages']
}

/** Learns the clock of the service from the answers of reads: the clock of this machine may be wrong by hours. */
export function createClockReader(moment: () => BootMoment): ClockReader {
  let last: ServiceMoment | undefined
  const note = ({serverTime}: Pick<Page, 'serverTime'>) => {
    if (serverTime !== undefined) last = {service: serverTime, at: moment()}
  }
  return {
    get last() {
      return last
    },
    watch: (readPages) =>
      async function* (id, request) {
        for await (const page of readPages(id, request)) {
          note(page)
          yield page
        }
      },
  }
}

/** A clock of a machine that is being set right runs at most this much too fast or too slow. */
const largestDrift = 1 / 2_000

/** When a set was sent by the clock of the service: surely not before; `isClose` unless it may have been much later. */
export type SentByService = {notBefore: number; isClose: boolean}

/**
 * The clock of the service was read before the set was sent. Within one start of this machine its own count tells how
 * long before, and a sleep of the machine, which it does not count, makes the time only earlier. Else the set was sent
 * at any time after the first reading. Undefined when the service never said its time.
 */
export function sentByService(
  {sent}: Pick<JournalPart, 'sent'>,
  {clocks = []}: Pick<RunFacts, 'clocks'>,
): SentByService | undefined {
  const [first] = clocks
  if (!first) return undefined
  const isBefore = ({at}: ServiceMoment) => at.boot === sent?.boot && at.milliseconds <= (sent?.milliseconds ?? 0)
  const read = sent?.boot === undefined ? undefined : clocks.findLast(isBefore)
  if (!read || !sent) return {notBefore: first.service, isClose: false}
  const passed = sent.milliseconds - read.at.milliseconds
  return {notBefore: read.service + passed * (1 - largestDrift), isClose: true}
}
