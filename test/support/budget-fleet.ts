import {Client} from 'pg'
import {limits, pace} from '../../src/contract/index.js'
import {type BudgetAnswer, type BudgetAsk, longestAskMilliseconds} from '../../src/quota/budget.js'
import type {Permit} from '../../src/quota/key-state.js'
import {createMemoryLedger} from '../../src/quota/ledger.js'
import {createLimiter} from '../../src/sandbox/limiter.js'
import {budgetSchema} from '../../src/shared/budget-schema.js'

/** The schema of a shared budget whose clock is set by hand. */
export async function openBudgetByHand(url: string) {
  const client = new Client({connectionString: url})
  await client.connect()
  await client.query(`
    CREATE SCHEMA vendorctl;
    CREATE FUNCTION vendorctl.clock() RETURNS timestamptz LANGUAGE sql AS
      $$ SELECT to_timestamp(current_setting('test.clock')::double precision / 1000) $$;
    ${budgetSchema}`)
  const sql = `WITH one AS MATERIALIZED (SELECT set_config('test.clock', $1, false))
    SELECT vendorctl.budget_ask($2, $3::jsonb) AS answer FROM one`
  return {
    client,
    ask: async (serverTime: number, asking: BudgetAsk, key = 'key'): Promise<BudgetAnswer> =>
      (await client.query({name: 'ask', text: sql, values: [String(serverTime), key, JSON.stringify(asking)]})).rows[0]
        .answer,
    close: () => client.end(),
  }
}

export type BudgetByHand = Awaited<ReturnType<typeof openBudgetByHand>>

type Span = {from: number; length: number}

/** What happens to a fleet of machines; times in milliseconds after the start. */
export type Fleet = {
  milliseconds: number
  machines: readonly {
    from: number
    /** It dies then, and says nothing. */
    until?: number
    /** Requests that it sends side by side. */
    workers: number
    /** How far its clocks are from those of others. */
    skew?: number
    /** Requests that each worker sends; then the machine leaves. */
    requests?: number
  }[]
  /** A machine cannot reach the store; all of them without an index. Asks under way are lost before or after the store did them. */
  partitions?: readonly {from: number; length: number; machine?: number}[]
  /** Stretches in which asks reach the store and stay unanswered until their end. */
  pauses?: readonly Span[]
  /** The next answer of the store to a machine is lost. */
  cuts?: readonly {at: number; machine: number}[]
  /** The service answers nobody. */
  standstills?: readonly {from: number; length: number}[]
  /** The server's clock jumps. */
  jumps?: readonly {at: number; by: number}[]
  random: () => number
  /** Milliseconds of one way to the service, and to the store. */
  service?: () => number
  store?: () => number
}

const ask = {rate: pace.requestsPerSecond, burst: pace.burst, perDay: 1_000_000, floor: 0, isShared: true}
const epoch = Date.UTC(2024, 6, 30, 18, 7, 5)

/** Lets the machines send as much as they may; what the service and the store counted. */
export async function runFleet(fleet: Fleet, budget: BudgetByHand, key: string) {
  const {random, service = () => 1 + random() * 10, store = () => 0.5 + random() * 3} = fleet
  let time = 0
  const events: {at: number; happen: () => void | Promise<void>}[] = []
  const after = (milliseconds: number, happen: () => void | Promise<void>) => {
    events.push({at: time + Math.max(0, milliseconds), happen})
  }
  const clock = {now: () => epoch + time, monotonic: () => time, sleep: async () => {}}
  const limiter = createLimiter({...limits, requestsPerDay: ask.perDay}, clock)
  const within = (list: readonly {from: number; length: number}[] = [], at = time) =>
    list.find(({from, length}) => at >= from && at < from + length)
  const serverTime = () =>
    epoch + time + (fleet.jumps ?? []).reduce((sum, {at, by}) => (at <= time ? sum + by : sum), 0)
  let refused = 0
  let longest = 0
  const sent = fleet.machines.map(() => 0)
  let asks = 0

  fleet.machines.forEach(
    ({from, until = Number.POSITIVE_INFINITY, workers, skew = 0, requests = Number.POSITIVE_INFINITY}, index) => {
      const ledger = createMemoryLedger({
        moment: () => ({boot: String(index), milliseconds: time + 1e6 + skew}),
        now: () => epoch + time + skew,
      })
      const isDead = () => time >= until
      const isCut = () => within(fleet.partitions?.filter(({machine = index}) => machine === index)) !== undefined
      const cuts = (fleet.cuts ?? []).filter(({machine}) => machine === index)
      let working = workers
      const leave = () => {
        working -= 1
        if (working === 0) startAsk(true)
      }
      const startAsk = (isLeaving = false) => {
        const asking = ledger.startAsk(ask, isLeaving ? {leaving: {own: new Set()}} : {})
        if (!asking) return
        asks += 1
        const finish = (answer?: BudgetAnswer) => (isDead() ? undefined : ledger.finishAsk(asking.number, answer))
        const lost = () => after(50, () => finish())
        after(longestAskMilliseconds, () => finish())
        const reach = async (): Promise<void> => {
          const paused = within(fleet.pauses)
          if (paused) return after(paused.from + paused.length - time + random(), reach)
          if (isCut()) return lost()
          const answer = await budget.ask(serverTime(), asking, key)
          if (cuts[0] && cuts[0].at <= time) {
            cuts.shift()
            return lost()
          }
          after(store(), () => (isCut() ? lost() : finish(answer)))
        }
        after(store(), reach)
      }
      const arrive = (permit: Permit, rest: number): void => {
        const still = within(fleet.standstills)
        if (still) {
          after(still.from + still.length - time, () => arrive(permit, rest))
          return
        }
        try {
          limiter.take('key')
          sent[index] = (sent[index] ?? 0) + 1
        } catch {
          refused += 1
        }
        after(service(), () => {
          if (isDead()) return
          ledger.arrive(permit)
          work(rest - 1)
        })
      }
      const waiting: {rest: number; since: number}[] = []
      const work = (rest: number): void => {
        if (isDead() || time >= fleet.milliseconds) return
        if (rest <= 0) {
          leave()
          return
        }
        if (waiting.push({rest, since: time}) === 1) serve()
      }
      // First come, first served, as in a process.
      const serve = (): void => {
        const [first] = waiting
        if (!first || isDead() || time >= fleet.milliseconds) return
        const permit = ledger.take(ask)
        if (permit.granted) {
          waiting.shift()
          if (permit.isAlone) startAsk()
          after(permit.waitMilliseconds, () => {
            if (isDead()) return
            longest = Math.max(longest, time - first.since)
            after(service(), () => arrive(permit, first.rest))
          })
          serve()
          return
        }
        if (permit.why === 'lease') startAsk()
        after(permit.retryMilliseconds ?? 500, serve)
      }
      for (let worker = 0; worker < workers; worker++) events.push({at: from, happen: () => work(requests)})
    },
  )

  while (events.length > 0) {
    const next = events.reduce((first, event) => (event.at < first.at ? event : first))
    events.splice(events.indexOf(next), 1)
    time = next.at
    await next.happen()
  }
  return {refused, sent, asks, longest, total: sent.reduce((sum, one) => sum + one, 0)}
}
