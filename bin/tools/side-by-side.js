import {spawn} from 'node:child_process'

/** Runs command lines at the same time; what each printed comes as a whole. Fails where one of them does. */
const codes = await Promise.all(process.argv.slice(2).map(run))
process.exitCode = codes.find((code) => code !== 0) ?? 0

function run(line) {
  const child = spawn(line, {shell: true, stdio: ['ignore', 'pipe', 'pipe']})
  const printed = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => printed.push(bytes))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      process.stdout.write(Buffer.concat(printed))
      resolve(code ?? 1)
    })
  })
}
