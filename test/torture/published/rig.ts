import {mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {createRandom} from '../../../src/sandbox/seed/random.js'
import type {RigOptions} from '../rig.js'
import {goOn, type Playing, type Tally} from './go-on.js'
import {judge, judgeNothing} from './judge.js'
import {makers, type Round} from './rounds.js'
import {startService} from './service.js'

const mostWrong = 24

/** Kills runs of the published writes, resumes each until it is done, and holds every report against the ledger. */
export async function torturePublished({
  kills,
  seed,
  workers,
  only = '',
  onRound,
}: RigOptions & {only?: string | undefined}): Promise<Tally> {
  const tally: Tally = {
    ...{kills: 0, rounds: 0, exits: {}, faultsFired: 0, rows: {}, wrong: [], kept: []},
    ...{doubts: {}, oldestCount: 0, troubles: {}},
  }
  const work = async (worker: number) => {
    for (let number = worker; tally.kills < kills && tally.wrong.length < mostWrong; number += workers) {
      const random = createRandom(seed * 100_003 + number)
      const service = await startService(random)
      const home = mkdtempSync(join(tmpdir(), 'vendorctl-published-'))
      try {
        const round = makers[number % makers.length]?.(service, random, `torture ${seed} ${number}`)
        if (round === undefined) throw new TypeError('no round')
        if (!round.operation.startsWith(only)) continue
        const name = `round ${number} of seed ${seed} (${round.operation})`
        const before = tally.wrong.length
        await playBothWays({service, round, random, name, home, kill: () => tally.kills < kills}, tally)
        if (tally.wrong.length > before) keep({service, home}, tally)
        tally.rounds++
        onRound?.(tally)
      } finally {
        await service.close()
        if (!tally.kept.includes(home)) rmSync(home, {recursive: true, force: true})
      }
    }
  }
  await Promise.all(Array.from({length: workers}, (_, worker) => work(worker)))
  return tally
}

/** Where the round is the way back of a run, that run is undisturbed. */
async function playBothWays(playing: Playing, tally: Tally): Promise<void> {
  const {service, round, name} = playing
  if (round.back === undefined) return play(playing, tally)
  const done = await goOn({...playing, kill: () => false}, tally)
  const undoes = /"runId": "([^"]+)"/.exec(done?.stdout ?? '')?.[1]
  if (done?.exitCode !== 0 || undoes === undefined) {
    tally.wrong.push(`${name}: exit ${done?.exitCode} before anything is undone`)
    return
  }
  service.ledger.length = 0
  const back: Round = {...round, lines: round.back}
  await play({...playing, round: back, name: `${name}, undone`, undoes}, tally)
}

async function play(playing: Playing, tally: Tally): Promise<void> {
  const {service, round, random, name} = playing
  service.rules.trouble = random() < 0.25 ? 0 : random() * 0.5
  const last = await goOn(playing, tally)
  await new Promise((resolve) => setTimeout(resolve, 350)) // the longest late commit, and a little more
  tally.faultsFired += service.troubles.length
  for (const trouble of service.troubles) tally.troubles[trouble] = (tally.troubles[trouble] ?? 0) + 1
  if (last?.exitCode === 3) judgeNothing(service, name, tally)
  else if (last) judge({service, round, last, name}, tally)
}

/** What shows why a round went wrong stays in its home. */
function keep({service, home}: Pick<Playing, 'service' | 'home'>, tally: Tally): void {
  const {asked, troubles, ledger, stock} = service
  const seen = JSON.stringify({asked, troubles, ledger, moves: stock.moves}, undefined, 1)
  writeFileSync(join(home, 'service.json'), seen)
  tally.kept.push(home)
}
