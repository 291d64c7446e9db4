import {existsSync, readdirSync, rmSync} from 'node:fs'
import {DatabaseSync} from 'node:sqlite'
import type {Ending, Fault} from '../life.js'
import type {LifeFaults, World} from '../world.js'
import {judgeAgreement, judgeCopies, judgeDisk, judgeEnd, judgeList, judgeOrder, judgeTold} from './judges.js'
import {makers, type Round, writeInput} from './rounds.js'
import {codesOf, type Fate, fatesOf, readTold, type Told} from './told.js'

const mostSteps = 16
export const notBegun = new Set(['NO_RUN', 'RUN_NEVER_BEGAN'])
const done = new Set(['NOTHING_TO_RESUME', 'FILE_APPLIED', 'NOTHING_TO_UNDO'])
/** Effects right before and after which much depends on their order. */
const telling = ['link', 'rename', 'sync', 'remove', 'sql COMMIT', 'send', 'spawn']
/** From this step on nothing goes wrong any more. */
const calmFrom = 9

/** A write of the sandbox that is killed, cut off, lied to and resumed until nothing is left to do. */
export async function playWrites(world: World): Promise<void> {
  const {choices, sandbox, service} = world
  setClockApart(world)
  const round = choices.one('round', makers)(sandbox, choices, choices.integer('rows', 2, 24))
  const isAgain = round.operation === 'alerts.create' && choices.chance('same again', 0.3)
  if (!isAgain) return playRound(world, round)
  const {runId} = readTold(await world.run([...(await startOf(world, round)), '--yes', '--json'])) ?? {}
  service.commits.length = 0
  await playRound(world, {...round, words: [...round.words, '--fresh']}, runId ? [runId] : [])
}

/** A write of the published contract, or the way back of one that went through. */
export async function playPublished(world: World): Promise<void> {
  setClockApart(world)
  const round = world.published.makeRound(world.choices)
  const isAgain = round.operation === 'selections.adjust' && world.choices.chance('same again', 0.5)
  if (!round.back && !isAgain) return playRound(world, round)
  const given = await startOf(world, round)
  const done = readTold(await world.run([...given, '--yes', '--json']))
  if (!done?.ok && (isAgain || 'too large' in world.faults)) return // machines sold meanwhile, or nothing is small enough
  if (!done?.ok || done.runId === null) return world.wrong(`a run without faults failed: ${codesOf(done).join(' ')}`)
  world.service.commits.length = 0
  const {check: _, ...rest} = round
  if (isAgain) return playRound(world, {...rest, words: [...round.words, '--fresh']}, [done.runId])
  const undo = ['runs', 'undo', done.runId, '--set-size', '4']
  await playRound(world, {...rest, lines: round.back ?? []}, [done.runId], undo)
}

/** A round from its start, or from a command that goes on; `known` are runs that are not its own. */
export async function playRound(world: World, round: Round, known: string[] = [], given?: string[]): Promise<void> {
  const {choices, rules, wrong} = world
  world.trace(`${round.operation}: ${round.lines.length} rows`)
  const start = given ?? (await startOf(world, round))
  rules.trouble = choices.chance('calm', 0.2) ? 0 : choices.of('trouble')() * 0.5
  const isOnce = start[1] === 'undo' || start.includes('--fresh')
  let id: string | undefined
  const go = (verb: string) => (id === undefined ? start : ['runs', verb, id, '--resend-after-settle'])
  let words = start
  let [confirmed, since]: [string[], number] = [[], 0]
  const acknowledged = new Map<string, string>()
  const others = new Set<number>() // processes of another run of the same rows
  for (let step = 0; step < mostSteps; step++) {
    if (step === calmFrom) rules.trouble = 0
    if (words === start) {
      since = world.machine.nextPid
      acknowledged.clear()
      others.clear()
    }
    const isEdited = words !== start && step < calmFrom && choices.chance(`edit ${step}`, 0.1)
    if (isEdited) await writeInput(world, {...round, lines: round.lines.slice(1).reverse()})
    const {ending, told, twin} = await live(world, [...words, ...confirmed, '--yes', '--json'], step)
    if (twin !== undefined && words === start) others.add(twin)
    if (isEdited) await writeInput(world, round)
    const isOwn = (by: number) => by >= since && !others.has(by)
    const isSeenAsLater = isOnce && fatesOf(told).some(({code}) => code === 'APPLIED_BEFORE')
    if (isSeenAsLater && world.faults['clock jump']) return undefined // by the run that this one was to repeat
    judgeTold(world, round, told, {isOwn, acknowledged})
    if (step === 0 && words[1] !== 'apply') judgeOrder(world, told, words)
    judgeDisk(world)
    const heir = /(?<=left to run )[\w-]+|[\w-]+(?= took over its rows)/.exec(ending.stderr)?.[0]
    const begun = runsOf(world).filter((one) => !known.includes(one)) // its clock may have been set back
    known.push(...begun)
    id = heir ?? told?.runId ?? begun[0] ?? id // of two at once, the run that is told of
    if (heir !== undefined) {
      others.clear()
      for (const [key, fate] of acknowledged) if (fate === 'refused') acknowledged.delete(key) // the heir tries it again
    }
    const [codes, fates] = [codesOf(told), fatesOf(told)]
    const isDenied = told?.errors.some(({code, message}) => code === 'API_TOKEN' && !message.includes('/authenticate'))
    if (isDenied && (world.faults['token'] ?? 0) < 2) wrong('a token that had ended was not renewed')
    const asked = /--confirm-count[ =](\d+)/.exec(ending.stdout)?.[1]
    const isOther = asked !== undefined && !confirmed.includes(asked) && ending.exitCode === 2 // others deleted some
    const isOpen = fates.length === 0 || fates.some(({fate}) => fate === 'unsent' || fate === 'inDoubt')
    const isLast = fates.length > 0 && step >= mostSteps - 2 // nothing can be done without a person
    if ((!isOpen || isLast) && !heir && words[1] !== 'reconcile') return finish(world, round, told, id, start)
    const doubtful = /are in doubt in run (\S+):/.exec(ending.stderr)?.[1]
    if (doubtful !== undefined && doubtful !== id) return undefined // two runs of the same rows: a person decides
    if (heir !== undefined) words = go('resume')
    else if (ending.exitCode === undefined)
      words = told || choices.chance(`resume ${step}`, isOnce ? 1 : 0.7) ? go('resume') : start
    else if (words[1] === 'reconcile') words = go('resume')
    else if (isOther) confirmed = ['--confirm-count', asked]
    else if (codes.some((code) => notBegun.has(code))) words = start
    else if (ending.stdout.includes('Send the rest of it')) words = go('resume')
    else if (words[1] === 'resume' && codes.includes('FILE_APPLIED') && world.faults['clock jump'])
      return undefined // an earlier run of the same rows seems to be a later one: a person decides
    else if (codes.some((code) => done.has(code)) && id) return finish(world, round, await showResults(world, id), id)
    else if ([3, 10].includes(ending.exitCode) && world.service.commits.length === 0)
      return undefined // nothing to do, or a plan that is out of date
    else if (codes[0] === 'HTTP_413' && fates.length === 0)
      return undefined // names that no gateway lets through
    else if (ending.exitCode === 3 && words === start && id)
      words = go('resume') // rows do not fit any more, as they had sold
    else if ([1, 2, 3].includes(ending.exitCode)) {
      return wrong(`exit ${ending.exitCode} of ${words.join(' ')}: ${ending.stderr.slice(0, 600)}`)
    } else words = go(ending.exitCode === 7 && choices.chance(`reconcile ${step}`, 0.4) ? 'reconcile' : 'resume')
    if (id !== undefined && choices.chance(`look ${step}`, ending.exitCode === undefined ? 0.6 : 0.1)) {
      const shown = await showResults(world, id)
      judgeTold(world, round, shown, {isOwn, acknowledged: new Map()})
      await judgeDoubt(world, id, fatesOf(shown))
    }
    await between(world, step)
    const doubted = fates.filter(({fate}) => fate === 'inDoubt')
    const keys = doubted.map(({line}) => round.lines[line - 2]?.key ?? '')
    if (step < calmFrom && choices.chance(`meddle ${step}`, 0.3)) round.meddle?.(step, keys)
    const isDamaged = world.mayMeet(`damage ${step}`, 'journal changed', 0.05)
    const isKnown = !start.includes('--fresh') && !world.faults['power cut'] // which may take the note that it was there
    const isGone = isKnown && choices.chance('journal is gone', 0.3)
    if (id !== undefined && isDamaged && damageJournal(world.machine.path(`state/vendorctl/runs/${id}.run`), isGone))
      return judgeDamaged(world, isGone ? start : ['runs', 'resume', id, '--resend-after-settle'])
  }
  wrong(`no end after ${mostSteps} lives`)
}

export function runsOf({machine, has}: World): string[] {
  const all = has('state/vendorctl/runs') ? readdirSync(machine.path('state/vendorctl/runs')) : []
  return all.flatMap((name) => /^(.+)\.run$/.exec(name)?.[1] ?? [])
}

const showResults = async (world: World, id: string) => readTold(await world.run(['runs', 'results', id, '--json']))

const settled = new Set(['UNCHANGED', 'CONTINUED', 'BISECT_BUDGET'])
/** The last report; then nothing is sent any more for a run that has ended, whatever is asked of it. */
async function finish(world: World, round: Round, told: Told | undefined, id?: string, start?: string[]) {
  judgeEnd(world, round, told)
  const isSought = ['quarantine', 'bisect'].some((how) => start?.includes(how)) && !start?.includes('--canary')
  const unclear = start?.includes('bisect') ? ['denied', 'token'] : ['denied', 'token', 'names no row']
  const isVague = unclear.some((kind) => kind in world.faults)
  const left = fatesOf(told).filter(({fate, code}) => /rolledBack|unsent/.test(fate) && !settled.has(code ?? ''))
  if (isSought && !isVague && left.length > 0 && !fatesOf(told).some(({fate}) => fate === 'inDoubt'))
    world.wrong(`rows that nothing is wrong with are left: ${JSON.stringify(left)}`)
  if (id === undefined || world.choices.chance('leave', 0.4)) return
  const before = world.service.commits.length
  const results = await showResults(world, id)
  const same = (one: Told | undefined) => JSON.stringify(fatesOf(one).map(({line, fate}) => [line, fate]))
  const isKept = !codesOf(told).includes('JOURNAL_LOST') // what the disk did not take is known from the report only
  if (isKept && told?.runId === id && same(results) !== same(told))
    world.wrong(`the journal says ${same(results)}, and told was ${same(told)}`)
  if (world.choices.chance('list', 0.2)) await judgeList(world, id, fatesOf(results))
  const isDone = fatesOf(told).every(({fate}) => fate === 'applied' || fate === 'unchanged')
  const again = world.choices.one('again', ['resume', 'reconcile', 'start'])
  const isUndone = round.words[1] === 'update' && /^(sites|alerts)/.test(round.operation)
  if (isUndone && world.choices.chance('undo', 0.4)) return judgeUndo(world, round, results, id)
  if (!isDone && again !== 'reconcile') return
  const isSold = round.operation === 'selections.update' // what was sold since then is filled up again
  if (again === 'start' && (!start || start.includes('--fresh') || round.isRepeatable || isSold)) return
  await world.run([...(again === 'start' && start ? start : ['runs', again, id]), '--yes', '--json'])
  const sent = world.service.commits.length - before
  if (sent > 0) world.wrong(`${again} of a run that had ended: ${sent} rows were sent`)
}

/** An undo changes back what its run applied but for what others changed since, nothing else, and once. */
async function judgeUndo(world: World, round: Round, told: Told | undefined, id: string): Promise<void> {
  const {service, sandbox, faults, rules, wrong} = world
  await world.pass(2_100) // no doubled request comes after another person
  const table = round.operation === 'sites.update' ? 'site' : 'alert'
  const place = round.header.findIndex((name) => ['shippingAddress', 'message'].includes(name))
  const field = round.header[place] ?? ''
  const find = (key: string) => sandbox.core.store.find(table, Number(key)) ?? {}
  const fates = fatesOf(told)
  const isOpen = fates.some(({fate}) => fate === 'inDoubt')
  const own = isOpen ? [] : fates.filter(({fate, code}) => fate === 'applied' && !code)
  const lines = round.lines.map((line, at) => ({...line, isOwn: own.slice(1).some((one) => one.line === at + 2)}))
  const {key: others} = round.lines[(own[0]?.line ?? 0) - 2] ?? {}
  if (others) sandbox.core.store.update(table, Number(others), {...find(others), [field]: 'other'}, {})
  const before = new Map(lines.map(({key}) => [key, JSON.stringify(find(key))]))
  rules.trouble = 0
  const isBehind = table === 'alert' && Object.keys(faults).some((kind) => kind.startsWith('clock')) // and finds no newer ones
  const mayDiffer = 'too large' in faults || isBehind
  const undo = ['runs', 'undo', id, '--skip-changed', '--yes', '--json']
  await world.run(undo)
  for (const {key, cells, was, isOwn} of lines) {
    const isLate = service.commits.some((commit) => commit.key === key && commit.isLate)
    const now = find(key)[field] ?? null
    const isBack = now !== cells[place] && (now === was || /^other/.test(String(now)))
    const isRight = isOwn ? isBack : JSON.stringify(find(key)) === before.get(key)
    if (!isRight && !isLate && !mayDiffer) wrong(`${key} was ${isOwn ? 'not ' : ''}changed by the undo of ${id}`)
  }
  const sent = service.commits.length
  await world.run(undo)
  if (service.commits.length > sent && !mayDiffer) wrong(`the undo of ${id} was sent twice`)
}

/** What a reconciliation would do changes nothing, and what is in doubt is not undone. */
async function judgeDoubt(world: World, id: string, before: Fate[]): Promise<void> {
  if (!before.some(({fate}) => fate === 'inDoubt')) return
  const first = world.machine.nextPid
  await judgeList(world, id, before)
  await world.run(['runs', 'reconcile', id, '--dry-run', '--json'])
  await world.run(['runs', 'undo', id, '--skip-changed', '--yes', '--json'])
  if (runsOf(world).length === 1) await world.run(['runs', 'remove', '--all', '--yes']) // those that are over
  const now = fatesOf(await showResults(world, id))
  const isSent = world.service.commits.some(({by}) => by >= first)
  if (isSent || JSON.stringify(now) !== JSON.stringify(before)) world.wrong(`a dry run or a refused undo changed ${id}`)
}

/** Removes a journal, or makes a set that was applied one that was not sent; false where no set was. */
function damageJournal(path: string, isGone: boolean): boolean {
  if (!existsSync(path)) return false
  const database = new DatabaseSync(path)
  try {
    const sql = "UPDATE part SET state = 'planned' WHERE seq = (SELECT min(seq) FROM part WHERE state = 'confirmed')"
    const isDone = Number(database.prepare(sql).run().changes) > 0
    if (isDone && isGone) for (const end of ['', '-wal', '-shm']) rmSync(`${path}${end}`, {force: true})
    return isDone
  } catch {
    return false // a life was killed before it had made the tables
  } finally {
    database.close()
  }
}

/** A disk has changed a journal in one place: nothing is sent by what it says now. */
async function judgeDamaged(world: World, words: string[]): Promise<void> {
  world.rules.trouble = 0
  const first = world.machine.nextPid
  const {exitCode, stdout} = await world.run([...words, '--yes', '--json'])
  if (exitCode === 0 || world.service.commits.some(({by}) => by >= first))
    world.wrong(`exit ${exitCode} of ${words.join(' ')} after the journal was changed: ${stdout.slice(0, 300)}`)
}

/** The command of a round; some become a plan first, which is applied. */
async function startOf(world: World, round: Round): Promise<string[]> {
  const {choices} = world
  const {words, header, setSize, isPlanned} = round
  const file = await writeInput(world, round)
  const onError = choices.one('on error', ['stop', 'quarantine', 'quarantine', 'bisect'])
  const sending = ['--set-size', String(setSize ?? choices.integer('set size', 1, 6)), '--on-error', onError]
  if (choices.chance(onError === 'stop' ? 'canary' : 'canary of all', onError === 'stop' ? 0.4 : 0.25))
    sending.push('--canary', '1')
  else if (onError === 'stop' && choices.chance('atomic', 0.2)) sending.splice(0, 2, '--atomic')
  const given = [...words, ...(header.length > 0 ? ['--file', file] : []), ...sending]
  const told = file === 'rows.csv' && choices.chance('results', 0.5) ? ['--results', 'results.csv', '--overwrite'] : []
  if (words.includes('--fresh') || (!isPlanned && !choices.chance('plan', 0.25))) return [...given, ...told]
  await world.run([...given, '--dry-run', '--plan-out', 'plan.json'])
  if (choices.chance('meddle first', 0.5)) round.meddle?.(-1, [])
  return [...(words.join(' ').split(' --')[0] ?? '').split(' '), '--apply-plan', 'plan.json']
}

/** How a life ended; of two, the one that did the work, and the process of the other. */
type Lived = {ending: Ending; told: Told | undefined; twin: number | undefined}

/** One life, or two at the same time; some are killed or told to stop. */
async function live(world: World, words: string[], step: number): Promise<Lived> {
  const isCalm = step >= calmFrom
  world.enter(`step ${step}`)
  const faults = isCalm ? {} : faultsOf(world, `step ${step}`)
  const mayBeTwice = !isCalm && !words.includes('--fresh') // else the same rows are sent twice, as was told
  const isTwice = mayBeTwice && world.mayMeet(`twice ${step}`, 'two at once', words[1] === 'undo' ? 0.5 : 0.1)
  const lives = [world.start(words, faults), ...(isTwice ? [world.start(words)] : [])]
  const all: Lived[] = []
  for (const [at, life] of lives.entries()) {
    const ending = await world.end(life)
    const told = readTold(ending)
    judgeAgreement(world, ending, told)
    if (!isTwice && (words.includes('--file') || ending.stderr.includes(' from rows.csv')))
      judgeCopies(world, ending, told, words.includes('--results'))
    all.push({ending, told, twin: lives[1 - at]?.pid})
  }
  const [first, second] = all as [Lived, Lived?]
  const isOutrun = codesOf(first.told).some((code) => code === 'SENT_MEANWHILE' || done.has(code))
  return second && (isOutrun || first.ending.exitCode === 13) ? second : first
}

export function setClockApart({choices, machine, mayMeet}: World): void {
  if (mayMeet('clock apart', 'clock apart', 0.25))
    machine.skew = choices.one('apart', [-172_800_000, -2_220_000, 2_220_000, 172_800_000])
}

export function faultsOf({choices, meet}: World, name: string): LifeFaults {
  const random = choices.of(name)
  const [kind, size] = [random(), random()]
  const from = 1 + Math.floor(200 ** size)
  if (kind < 0.45 && meet(`${name} kill`, 'kill')) {
    const [isAimed, before = ''] = [random() < 0.4, telling[Math.floor(random() * telling.length)]]
    let left = isAimed ? 1 + Math.floor(4 * size) : from
    return {fault: (effect) => ((!isAimed || effect.name.startsWith(before)) && --left === 0 ? 'die' : undefined)}
  }
  if (kind >= 0.45 && kind < 0.55 && meet(`${name} signal`, 'signal'))
    return {signals: [[size * 300, random() < 0.5 ? 'SIGINT' : 'SIGTERM']]}
  if (kind >= 0.55 && kind < 0.6 && meet(`${name} stopped`, 'stopped'))
    return {stop: [size * 300, random() * (random() < 0.5 ? 10_000 : 1_000_000)]}
  if (kind > 0.95 && meet(`${name} full`, 'disk full'))
    return {fault: failing('ENOSPC', from, random() < 0.5 ? from + 10 : Number.POSITIVE_INFINITY)}
  if (kind > 0.92 && meet(`${name} failing`, 'disk fails')) return {fault: failing('EIO', from, from)}
  return {}
}

/** A disk that fails, or is full until its reserve is freed, for effects of these numbers, as Node reports it, or SQLite. */
function failing(code: 'ENOSPC' | 'EIO', from: number, to: number): Fault {
  const [errno, errcode, errstr] = code === 'EIO' ? [-5, 10, 'disk I/O error'] : [-28, 13, 'database or disk is full']
  let isFreed = false
  return ({number, name, path}) => {
    if (name === 'remove' && path.endsWith('/reserve')) isFreed = code === 'ENOSPC'
    if (isFreed || number < from || number > to || !/^(write|sql|folder)/.test(name)) return undefined
    if (name.startsWith('sql')) return Object.assign(new Error(errstr), {code: 'ERR_SQLITE_ERROR', errcode, errstr})
    return Object.assign(new Error(`${code}: ${name}`), {code, path, errno, syscall: 'write'})
  }
}

export function cutPower({machine, trace}: World, random: () => number): void {
  machine.restart(() => trace(`power cut: ${machine.disk.cutPower(random)} lost`))
}

export async function between(world: World, step: number, isCalm = step >= calmFrom): Promise<void> {
  const {choices, machine, meet} = world
  const random = choices.of(`between ${step}`)
  const [pause, jump, power] = [random(), random(), random()]
  if (!isCalm && power < 0.12 && meet(`power ${step}`, 'power cut')) cutPower(world, random)
  else if (!isCalm && power < 0.2 && meet(`boot ${step}`, 'boot')) machine.restart(() => undefined)
  if (!isCalm && jump < 0.1 && meet(`clock ${step}`, 'clock jump'))
    machine.skew += choices.one(`jump ${step}`, [3_600_000, -3_600_000, 86_400_000, -86_400_000])
  await world.pass(pause < 0.6 ? pause * 1_000 : pause * 400_000)
}
