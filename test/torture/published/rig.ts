import {appendFileSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {createRandom, type Random} from '../../../src/sandbox/random.js'
import type {Ran} from '../../support/run-binary.js'
import {pickKill, type RigOptions, run, type Tally as Simple, writeRows} from '../rig.js'
import {judge, judgeNothing} from './judge.js'
import {makers, type Round} from './rounds.js'
import {login, type Service, startService} from './service.js'

export type Tally = Simple & {
  /** Rows that ended in doubt, by operation. */
  doubts: Record<string, number>
  /** The oldest count that was set beside a change of other fields, in milliseconds. */
  oldestCount: number
  troubles: Record<string, number>
}

const mostSteps = 14
const mostWrong = 24
const settle = ['--settle', '0.9', '--resend-after-settle'] // the usual two minutes are longer than a test

/** Kills runs of the published writes, resumes each until it is done, and holds every report against the ledger. */
export async function torturePublished({
  kills,
  seed,
  workers,
  only,
  onRound,
}: RigOptions & {only?: string}): Promise<Tally> {
  const tally: Tally = {
    ...{kills: 0, rounds: 0, exits: {}, faultsFired: 0, rows: {}, wrong: [], kept: []},
    ...{doubts: {}, oldestCount: 0, troubles: {}},
  }
  const work = async (worker: number) => {
    for (let number = worker; tally.kills < kills && tally.wrong.length < mostWrong; number += workers) {
      const random = createRandom(seed * 100_003 + number)
      const service = await startService(random)
      try {
        const maker = makers[number % makers.length]
        const round = maker?.(service, random, `torture ${seed} ${number}`)
        if (round === undefined) throw new TypeError('no round')
        if (only !== undefined && !round.operation.startsWith(only)) continue
        const name = `round ${number} of seed ${seed} (${round.operation})`
        await play({service, round, random, name, kill: () => tally.kills < kills}, tally)
        tally.rounds++
        onRound?.(tally)
      } finally {
        await service.close()
      }
    }
  }
  await Promise.all(Array.from({length: workers}, (_, worker) => work(worker)))
  return tally
}

type Playing = {service: Service; round: Round; random: Random; name: string; kill: () => boolean}

async function play(playing: Playing, tally: Tally): Promise<void> {
  const {service, round, random, name} = playing
  const home = mkdtempSync(join(tmpdir(), 'vendorctl-published-'))
  const before = tally.wrong.length
  service.rules.trouble = random() < 0.25 ? 0 : random() * 0.5
  const last = await goOn(playing, home, tally)
  await new Promise((resolve) => setTimeout(resolve, 350)) // the longest late commit, and a little more
  tally.faultsFired += service.troubles.length
  for (const trouble of service.troubles) tally.troubles[trouble] = (tally.troubles[trouble] ?? 0) + 1
  if (last?.exitCode === 3) judgeNothing(service, name, tally)
  else if (last) judge({service, round, last, name}, tally)
  if (tally.wrong.length === before) rmSync(home, {recursive: true, force: true})
  else {
    const {asked, troubles, ledger, stock} = service
    writeFileSync(
      join(home, 'service.json'),
      JSON.stringify({asked, troubles, ledger, moves: stock.moves}, undefined, 1),
    )
    tally.kept.push(home)
  }
}

/** The command, killed or not, and what the program says is next, until nothing is left to do. */
async function goOn(
  {service, round, random, name, kill}: Playing,
  home: string,
  tally: Tally,
): Promise<Ran | undefined> {
  const door = {...login, url: service.url}
  const isFile = round.header.length > 0
  const file = isFile ? ['--file', await writeRows({...round, rows: round.lines}, home, 'csv')] : []
  const sending = ['--set-size', String(round.setSize), '--on-error', 'quarantine', ...settle.slice(0, 2)]
  const start = [...round.words, ...file, ...sending]
  const resume = ['runs', 'resume', 'latest', ...settle]
  const reconcile = ['runs', 'reconcile', 'latest', ...settle]
  let words = start
  let confirmed: string[] = []
  for (let step = 0; step < mostSteps; step++) {
    if (step === mostSteps - 5) service.rules.trouble = 0
    const isHarmed = step < mostSteps - 6 && kill()
    const ran = await run(door, [...words, ...confirmed, '--yes', '--json'], home, isHarmed ? pickKill(random) : {})
    const how = ran.signal ?? `exit ${ran.exitCode}`
    appendFileSync(join(home, 'steps'), `${words.join(' ')}: ${how}\n${ran.stderr}${ran.stdout}\n`)
    const asked = /--confirm-count[ =](\d+)/.exec(ran.stdout + ran.stderr)?.[1]
    if (ran.signal === 'SIGKILL') {
      tally.kills++
      const told = toldBeforeDeath(ran)
      if (told && isFinal(told, step)) return told
      words = told || random() < 0.7 ? resume : start
    } else if (words === reconcile)
      words = resume // it tells of the sets in doubt only
    else if (isFinal(ran, step)) return ran
    else if (ran.exitCode === 2 && asked !== undefined) confirmed = ['--confirm-count', asked]
    else if (ran.exitCode === 3 && words === start && service.ledger.length === 0) return ran
    else if (/NO_RUN|NEVER_BEGAN/.test(ran.stdout)) words = start
    else if (/NOTHING_TO_RESUME|FILE_APPLIED/.test(ran.stdout)) return results(door, home)
    else if (ran.exitCode === 2 || ran.exitCode === 1 || ran.exitCode === 12) {
      tally.wrong.push(
        `${name}: exit ${ran.exitCode} of ${[...words, ...confirmed].join(' ')}: ${ran.stderr.slice(0, 600)}`,
      )
      return undefined
    } else words = ran.exitCode === 7 && random() < 0.4 ? reconcile : resume
  }
  tally.wrong.push(`${name}: no end after ${mostSteps} steps`)
  return undefined
}

/** Of a run that was done when it was killed. */
function results(door: Parameters<typeof run>[0], home: string): Promise<Ran> {
  return run(door, ['runs', 'results', 'latest', '--json'], home)
}

type Told = {ok: boolean; errors: {exit: number}[]}

/** Who was killed after it had said all has said it. */
function toldBeforeDeath(ran: Ran): Ran | undefined {
  if (!ran.stdout.endsWith('\n}\n')) return undefined
  const {ok, errors} = JSON.parse(ran.stdout) as Told
  return {...ran, exitCode: ok ? 0 : (errors[0]?.exit ?? 1)}
}

/** Rows that are unsent or in doubt are resumed, as long as there are steps left without trouble. */
function isFinal({exitCode, stdout}: Ran, step: number): boolean {
  if (exitCode === 0) return true
  if (exitCode !== 5 && exitCode !== 6 && exitCode !== 7) return false
  if (!/"fate"/.test(stdout)) return false // an earlier run is in doubt: nothing was sent, and no row is told of
  return !/"fate":\s*"(unsent|inDoubt)"/.test(stdout) || step >= mostSteps - 2
}
