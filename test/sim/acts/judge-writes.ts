import type {Ending} from '../life.js'
import type {World} from '../world.js'
import type {Round} from './rounds.js'
import {codesOf, fatesOf, type Told} from './told.js'
import type {Wrong} from './writes.js'

type Judged = {world: World; round: Round; told: Told | undefined}

const notApplied = new Set(['refused', 'rolledBack', 'unsent'])
type IsOwn = (life: number) => boolean

/** Codes of rows that are the business of another run, or that a killed one applied. */
const elsewhere = new Set(['CONTINUED', 'UNCHANGED'])

/** What a life told, against the log of the service at that moment; `isOwn`: whether a process worked for its run. */
export function judgeTold(
  {world, round, told, isOwn, acknowledged}: Judged & {isOwn: IsOwn; acknowledged: Map<string, string>},
  wrong: Wrong,
): void {
  const isKept = !codesOf(told).includes('JOURNAL_LOST') // what no disk took is in doubt again later
  for (const [index, {line, fate, code}] of fatesOf(told).entries()) {
    const row = round.lines[round.header.length > 0 ? line - 2 : index]
    if (!row) {
      wrong(`line ${line} is told of and is not in the file`)
      continue
    }
    const commits = commitsOf(world, round, row)
    const where = `line ${line} (${row.key}): told ${fate}${code ? ` ${code}` : ''}, in the log ${commits.length} times`
    if (fate === 'applied' && commits.length === 0) wrong(`${where}: lost`)
    const before = acknowledged.get(row.key)
    if (before !== undefined && before !== fate && !elsewhere.has(code ?? '')) wrong(`${where}: before ${before}`)
    if (isKept && (fate === 'applied' || fate === 'refused')) acknowledged.set(row.key, fate)
    const isUnsaid = notApplied.has(fate) && !elsewhere.has(code ?? '')
    if (isUnsaid && commits.some(({by}) => isOwn(by))) wrong(`${where}: applied without a word`)
  }
}

/** The last report: one fate a row, fates that add up, each row applied exactly as often as it says. */
export function judgeEnd({world, round, told, ending}: Judged & {ending: Ending}, wrong: Wrong): void {
  const fates = fatesOf(told)
  const sum = Object.values(told?.meta.rows ?? {}).reduce((all, one) => all + one, 0)
  if (sum !== round.lines.length) wrong(`the fates add up to ${sum} of ${round.lines.length}`)
  // Two runs at the same time may both set a record to the same values, each of them once.
  const isTwice = ['sites.update', 'selections.update'].includes(round.operation) && 'two at once' in world.faults
  const doubted: string[] = []
  for (const [index, {key, operation = round.operation, isRight}] of round.lines.entries()) {
    const own = round.header.length > 0 ? fates.filter(({line}) => line === index + 2) : fates.slice(index, index + 1)
    const commits = commitsOf(world, round, {key, operation})
    const list = own.map(({fate}) => fate).join(', ') || 'nothing'
    const where = `line ${index + 2} (${key}): told ${list}, in the log ${commits.length} times`
    const [{fate, code} = {fate: 'none'}] = own
    if (fate === 'inDoubt') doubted.push(key)
    if (own.length !== 1) wrong(where)
    const isByOthers = isTwice && new Set(commits.map(({by}) => by)).size === commits.length
    if (commits.length > 1 && !round.isRepeatable && !isByOthers) wrong(`${where}: applied twice`)
    if (fate === 'applied' && commits.length === 0) wrong(`${where}: lost`)
    const isBlocked = fates.some((one) => ['inDoubt', 'refused'].includes(one.fate))
    if (fate === 'unsent' && code !== 'UNCHANGED' && !isBlocked) wrong(where)
    for (const {sent} of commits)
      if (isRight && !isRight(sent as never)) wrong(`${where}: sent ${JSON.stringify(sent)}`)
  }
  const isTimeLost =
    (round.operation === 'machines.provision' && ('power cut' in world.faults || 'boot' in world.faults)) ||
    (round.operation === 'selections.adjust' && 'slow' in world.faults) // the clock of the service was read long before
  const isSaid = !world.faults['names no row'] // else a refusal does not tell which of the records are there
  if (doubted.length > 0 && isSaid && !isTimeLost && !round.mayDoubt?.(doubted)) {
    wrong(`rows are in doubt that can be settled: exit ${ending.exitCode}, ${doubted.join(' ')}`)
  }
  const keys = new Set(round.lines.map(({key, operation = round.operation}) => `${operation} ${key}`))
  for (const {operation, key} of world.service.commits) {
    if (!keys.has(`${operation} ${key}`)) wrong(`${operation} ${key} is in no file`)
  }
  for (const text of round.check?.() ?? []) wrong(text)
}

function commitsOf(
  {service}: World,
  round: Round,
  {key, operation = round.operation}: Omit<Round['lines'][number], 'cells'>,
) {
  return service.commits.filter((one) => one.operation === operation && one.key === key)
}
