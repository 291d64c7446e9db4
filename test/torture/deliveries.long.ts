import {mkdirSync, readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {setTimeout as wait} from 'node:timers/promises'
import {expect} from 'vitest'
import {createRandom} from '../../src/sandbox/seed/random.js'
import {test} from '../support/binary.js'
import {runBinary, startBinary} from '../support/run-binary.js'

const [nights, seed] = ['DELIVERIES', 'SEED'].map((name) => Number(process.env[`TORTURE_${name}`]))
const longestMilliseconds = 900

test('every file is delivered with every record once, whenever the program is killed', async ({home, start}) => {
  const random = createRandom(seed || 1)
  const {sandbox, environment} = await start({limits: false})
  const box = join(home.path, 'box')
  mkdirSync(box)
  const copy = `sh -c 'cp "$0" "$1/.$$" && mv "$1/.$$" "$1/$2"' {file} ${box} {name}`
  const night = (deliver: string) => [
    ...['reports', 'transactions', '--since-last', 'n', '--start', '-3d', '--deliver', deliver],
    ...['--output-file', join(home.path, 'tx-{date}-{time}.ndjson'), '--skip-empty'],
  ]
  const [machine] = sandbox.store.read('machine')
  const added: string[] = []
  let killed = 0
  for (let number = 0; number < (nights || 60); number++) {
    const [id, recordedAtUtc] = [`B${7_000_000 + number}`, new Date(Date.now() - 60_000).toISOString().slice(0, 19)]
    sandbox.add('batch', {
      id,
      machineId: machine?.['id'] ?? 0,
      siteId: machine?.['siteId'] ?? 0,
      recordedAtUtc,
      lineItems: [],
    })
    added.push(id)
    const running = startBinary(night(random() < 0.3 ? '/nowhere/copy' : copy), {environment})
    const isKilled = await Promise.race([running.ended.then(() => false), wait(random() * longestMilliseconds, true)])
    if (isKilled) running.child.kill('SIGKILL')
    killed += Number(isKilled)
    await running.ended
  }

  await wait(longestMilliseconds)
  const last = await runBinary(night(copy), {environment})
  const namesOf = (folder: string) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.ndjson'))
      .toSorted()
  const files = namesOf(home.path)
  process.stdout.write(`${nights || 60} nights, ${killed} kills, ${files.length} files\n`)

  expect(last.exitCode, last.stderr).toBe(0)
  expect(namesOf(box)).toEqual(files)
  for (const name of files) expect(readFileSync(join(box, name))).toEqual(readFileSync(join(home.path, name)))
  const ids = files.flatMap((name) => readFileSync(join(box, name), 'utf8').match(/"B7\d{6}"/g) ?? [])
  expect(ids.toSorted()).toEqual(added.map((id) => `"${id}"`))
})
