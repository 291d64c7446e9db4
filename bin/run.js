#!/usr/bin/env node
// Parses on any Node, so that an old one gets a sentence and not a syntax error.
import {spawn} from 'node:child_process'
import {existsSync} from 'node:fs'
import {fileURLToPath} from 'node:url'

const oldestMajor = 22
const oldestMinor = 20
const parts = process.versions.node.split('.').map(Number)
const major = parts[0]
const minor = parts[1]

if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) {
  start()
} else {
  useLocalNode()
}

function start() {
  import('../dist/cli/main.js').then(
    (program) => {
      const root = fileURLToPath(new URL('..', import.meta.url))
      program.main(process.argv.slice(2), root, leave).then(leave)
    },
    (error) => {
      const unbuilt = error.code === 'ERR_MODULE_NOT_FOUND' && !existsSync(new URL('../dist', import.meta.url))
      process.stderr.write(unbuilt ? 'vendorctl is not built yet; run: npm run build\n' : error.stack + '\n')
      leave(1)
    },
  )
}

function leave(code) {
  process.exit(code)
}

function useLocalNode() {
  const local = fileURLToPath(new URL('../node_modules/node/bin/node', import.meta.url))
  if (!existsSync(local)) {
    process.stderr.write(
      'vendorctl needs Node ' + oldestMajor + '.' + oldestMinor + ' or newer; this is ' + process.version + '.\n',
    )
    leave(1)
  }
  const child = spawn(local, [fileURLToPath(import.meta.url)].concat(process.argv.slice(2)), {stdio: 'inherit'})
  // A terminal sends Ctrl-C to both; what comes to this process alone is handed on.
  process.on('SIGINT', () => {})
  const forwarded = ['SIGTERM', 'SIGHUP']
  forwarded.forEach((name) => {
    process.on(name, () => {
      child.kill(name)
    })
  })
  child.on('exit', (code, signal) => {
    leave(code === null ? 128 + (signal === 'SIGKILL' ? 9 : 15) : code)
  })
}
