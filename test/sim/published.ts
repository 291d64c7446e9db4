import type {Round} from './acts/rounds.js'
import type {Choices} from './choices.js'
import type * as Published from './published-entry.js'
import type {Asked, Commit, Service} from './service.js'

export type PublishedModule = typeof Published
export type PublishedService = Service & {makeRound(choices: Choices): Round}
/** Documented as about a second; how old a count may be that is sent beside other fields. */
const freshMilliseconds = 2_500

/** The service of `test/torture/published` without its server: machines sell and people adjust while it answers. */
export function createPublishedService(module: PublishedModule, choices: Choices): PublishedService {
  const random = choices.of('published')
  const state = module.createState(random)
  const commits: Commit[] = []
  return {
    ...{commits, login: module.login, refusedForSpeed: 0, seen: new Map<string, number>(), close: () => undefined},
    isReplayable: (method) => method === 'GET',
    answer({method, path, headers, body}: Asked, life) {
      const [, , ...rest] = path.split('/')
      const before = state.ledger.length
      state.asked.push(`${method} ${path}`)
      state.stock.goOn()
      const json = (body === '' ? {} : module.readJson(body)) as Published.Request['json']
      const answered = module.answer({method, path: `/${rest.join('/')}`, headers, json}, state, random)
      for (const {operation, key, sent, ageOfCount: age} of state.ledger.slice(before))
        commits.push({operation, key, sent, age, by: life})
      const date = new Date(state.world.now()).toUTCString()
      const given = {date, 'content-type': 'application/json', ...answered.headers}
      return {status: answered.status, headers: given, body: Buffer.from(answered.body ?? '')}
    },
    makeRound(choices) {
      const maker = choices.one('round', module.makers as [(typeof module.makers)[number]])
      const {doubt, check, ...round} = maker(state, choices.of('rows'), `sim ${choices.integer('name', 1, 1e6)}`)
      const mover = doubt === 'sold' ? 'sale' : doubt === 'adjusted' ? 'person' : undefined
      return {
        ...round,
        mayDoubt: (keys) => state.stock.moves.some((one) => one.by === mover && keys.includes(String(one.selection))),
        check() {
          const isCounted = round.operation === 'selections.update' && !round.header.includes('count')
          const old = commits.filter(({isLate, age = Infinity}) => isCounted && age > freshMilliseconds && !isLate)
          return [...(check?.() ?? []), ...old.map(({key, age}) => `${key}: the count was ${age} ms old`)]
        },
      }
    },
  }
}
