import type {Ending} from '../life.js'
import type {World} from '../world.js'
import type {Round} from './rounds.js'
import {fatesOf, type Told} from './told.js'
import type {Wrong} from './writes.js'

type Judged = {world: World; round: Round; told: Told | undefined}

const notApplied = new Set(['refused', 'rolledBack', 'unsent'])

/** What a life told, against the log of the service at that moment; `isOwn`: whether a process worked for its run. */
export function judgeTold(
  {world, round, told, isOwn}: Judged & {isOwn: (life: number) => boolean},
  wrong: Wrong,
): void {
  for (const {line, fate, code} of fatesOf(told)) {
    const row = round.lines[line - 2]
    if (!row) {
      wrong(`line ${line} is told of and is not in the file`)
      continue
    }
    const count = countOf(world, round, row.key)
    const where = `line ${line} (${row.key}): told ${fate}${code ? ` ${code}` : ''}, in the log ${count} times`
    if (fate === 'applied' && count === 0) wrong(`${where}: lost`)
    if (notApplied.has(fate) && code !== 'CONTINUED' && countOf(world, round, row.key, isOwn) > 0)
      wrong(`${where}: applied without a word`)
  }
}

/** The last report: one fate a row, fates that add up, each row applied exactly as often as it says. */
export function judgeEnd({world, round, told, ending}: Judged & {ending: Ending}, wrong: Wrong): void {
  const fates = fatesOf(told)
  const sum = Object.values(told?.meta.rows ?? {}).reduce((all, one) => all + one, 0)
  if (sum !== round.lines.length) wrong(`the fates add up to ${sum} of ${round.lines.length}`)
  for (const [index, {key}] of round.lines.entries()) {
    const told = fates.filter(({line}) => line === index + 2)
    const count = countOf(world, round, key)
    const where = `line ${index + 2} (${key}): told ${told.map(({fate}) => fate).join(', ') || 'nothing'}, in the log ${count} times`
    if (told.length !== 1) wrong(where)
    if (count > 1 && !round.isRepeatable) wrong(`${where}: applied twice`)
    if (told[0]?.fate === 'applied' && count === 0) wrong(`${where}: lost`)
    if (told[0]?.fate === 'unsent' && !fates.some(({fate}) => ['inDoubt', 'refused'].includes(fate))) wrong(where)
  }
  if (fates.some(({fate}) => fate === 'inDoubt'))
    wrong(`rows are in doubt that can be settled: exit ${ending.exitCode}`)
  const keys = new Set(round.lines.map(({key}) => key))
  for (const {operation, key} of world.service.commits) {
    if (operation !== round.operation || !keys.has(key)) wrong(`${operation} ${key} is in no file`)
  }
}

function countOf({service}: World, {operation}: Round, key: string, isOwn = (_life: number) => true): number {
  return service.commits.filter((one) => one.operation === operation && one.key === key && isOwn(one.by)).length
}
