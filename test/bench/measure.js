import {spawnSync} from 'node:child_process'

/** Runs a command several times after one warm-up; the median of its wall time in milliseconds. */
export function medianOf(words, {environment, runs, expected = 0}) {
  const times = []
  for (let run = 0; run <= runs; run++) {
    const start = process.hrtime.bigint()
    const {status, stderr} = spawnSync(words[0], words.slice(1), {
      env: environment,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const milliseconds = Number(process.hrtime.bigint() - start) / 1e6
    if (status !== expected) throw new Error(`${words.join(' ')} ended with ${status}: ${stderr}`)
    if (run > 0) times.push(milliseconds)
  }

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
