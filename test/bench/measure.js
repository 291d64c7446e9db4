import {spawnSync} from 'node:child_process'

/** Runs a command several times after one warm-up; the median of its wall time in milliseconds. */
export function medianOf(words, {environment, runs, expected = 0}) {
  runOnce({words, expected}, environment)
  return median(Array.from({length: runs}, () => runOnce({words, expected}, environment)))
}

/** The median of each row by its name, of fewer `runs` where the row says so. Rows take turns, so that a busy machine is no row's own bad luck. */
export function mediansOf(rows, {runs, warmUps, environmentOf}) {
  const times = new Map(rows.map(({name}) => [name, []]))
  for (let round = 0; round < warmUps + runs; round++) {
    for (const row of rows.filter(({runs: most = runs}) => round < warmUps + most)) {
      const milliseconds = runOnce(row, environmentOf(row))
      if (round >= warmUps) times.get(row.name).push(milliseconds)
    }
  }
  return new Map([...times].map(([name, each]) => [name, median(each)]))
}

function runOnce({words, expected = 0}, env) {
  const start = process.hrtime.bigint()
  const {status, stderr} = spawnSync(words[0], words.slice(1), {env, stdio: ['ignore', 'ignore', 'pipe']})
  const milliseconds = Number(process.hrtime.bigint() - start) / 1e6
  if (status !== expected) throw new Error(`${words.join(' ')} ended with ${status}: ${stderr}`)
  return milliseconds
}

function median(times) {
  return times.sort((one, other) => one - other)[Math.floor(times.length / 2)]
}

export function printRow(name, milliseconds, floor, words) {
  const ratio = `${(milliseconds / floor).toFixed(2)} x`
  process.stdout.write(`${name.padEnd(34)}${milliseconds.toFixed(0).padStart(8)} ms${ratio.padStart(10)}  ${words}\n`)
}

/** The envelope that a program prints before it goes on running. */
export async function readEnvelope(stream) {
  let text = ''
  for await (const chunk of stream) {
    text += chunk
    if (text.trimEnd().endsWith('\n}')) break
  }

  return text
}
