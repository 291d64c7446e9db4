import {readdirSync, readFileSync, statSync} from 'node:fs'
import type {Ending} from '../life.js'
import type {World} from '../world.js'
import {fatesOf, readTold, type Told} from './told.js'

/** No secret lies outside of its file, and what others read is complete, whoever was killed when. */
export function judgeDisk({service, machine: {disk, path: toReal}, wrong}: World): void {
  const {apiKey, password} = service.login
  const read = (path: string) => readFileSync(toReal(path), 'latin1')
  const all = readdirSync(disk.root, {recursive: true, encoding: 'utf8'}).filter(
    (path) => !path.endsWith('reserve') && statSync(toReal(path)).isFile(),
  )
  const tokens = all.flatMap((path) => /"accessToken":"([^"]+)"/.exec(path.includes('/tokens/') ? read(path) : '')?.[1])
  for (const path of all) {
    const text = read(path)
    for (const secret of [apiKey, password, ...(path.includes('/tokens/') ? [] : tokens)]) {
      if (secret && text.includes(secret)) wrong(`${path} holds a secret`)
    }
    if (path.startsWith('state')) continue
    if (path.endsWith('.json') && !isJson(text)) wrong(`${path} is not complete`)
    if (/\.(csv|ndjson)$/.test(path) && text !== '' && !text.endsWith('\n')) wrong(`${path} is not complete`)
  }
}

function isJson(text: string): boolean {
  try {
    return JSON.parse(text) !== undefined
  } catch {
    return false
  }
}

/** Exit code, envelope and the line for people say the same of a write. */
export function judgeAgreement({wrong}: World, {exitCode, stderr}: Ending, told: Told | undefined): void {
  if (exitCode === undefined) return
  if (!told) wrong(`exit ${exitCode} without an envelope: ${stderr.slice(0, 600)}`)
  if (!told) return
  if (told.ok !== (exitCode === 0)) wrong(`exit ${exitCode}, and told ok: ${told.ok}`)
  const isOfRows = fatesOf(told).length > 0 || told.command === 'runs reconcile'
  const [error] = told.errors
  if (!told.ok && !isOfRows && error?.exit !== exitCode) wrong(`exit ${exitCode}, and told ${error?.exit}`)
  const {rows} = told.meta
  if (!rows) return
  const {applied = 0, refused = 0, rolledBack = 0, inDoubt = 0, unsent = 0} = rows
  const shown = /applied ([\d,]+) · refused ([\d,]+) · rolledBack ([\d,]+) · inDoubt ([\d,]+) · unsent ([\d,]+)/g
  const [, ...last] = [...stderr.matchAll(shown)].at(-1) ?? []
  const counts = [applied, refused, rolledBack, inDoubt, unsent]
  const where = `exit ${exitCode} of ${told.command}: ${JSON.stringify(rows)}`
  if (last.length > 0 && last.join() !== counts.join()) wrong(`${where}, and for people ${last.join(' ')}`)
  const left = refused + rolledBack + inDoubt + unsent
  const isLeftToOthers = fatesOf(told).every(({fate, code}) => fate !== 'unsent' || code === 'CONTINUED')
  if (exitCode === 0 && left > 0 && !isLeftToOthers) wrong(where)
  if (exitCode === 7 && inDoubt === 0) wrong(where)
  const isSome = applied > 0 || told.command === 'runs reconcile' // which need not send what it finds unsent
  if (exitCode === 6 && (!isSome || left === 0)) wrong(where)
  if (exitCode === 5 && (refused === 0 || inDoubt > 0)) wrong(where)
}

/** Until the day of a quota ends. */
const longestDay = 5 * 3_600_000

/** Requests that the service saw, as far as they can be counted: neither a disk lost some of them, nor a clock the day. */
export function countSeen({service, faults}: World): number {
  if (Object.keys(faults).some((kind) => /^(power|disk|clock|boot)/.test(kind))) return 0
  return [...service.seen.values()].reduce((sum, count) => sum + count, 0)
}

/** Requests are counted before they are sent: never fewer than the service saw. */
export async function judgeCount(world: World): Promise<void> {
  const seen = world.scheduler.now > longestDay ? 0 : countSeen(world)
  if (seen === 0) return
  let used = 0
  for (const on of world.machines.slice(0, world.shared['VENDORCTL_BUDGET'] ? 1 : 2)) {
    const told = readTold(await world.run(['quota', '--json'], {}, {on}))
    used += (told?.data as {used?: number} | undefined)?.used ?? 0
  }
  if (used < seen) world.wrong(`counted ${used} requests, and the service saw ${seen}`)
}
