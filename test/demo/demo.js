// Shows the main job from a clean clone: installs, builds, and works against a sandbox of its own.
import {spawnSync} from 'node:child_process'
import {existsSync} from 'node:fs'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

if (!existsSync(join(root, 'node_modules', 'node', 'bin', 'node'))) {
  prepare('Install what it is made of, a minute or less', ['ci', '--no-audit', '--no-fund'])
}
prepare('Build it', ['run', 'build'])
await import('./show.js')

/** What npm says is of interest when it fails: then all of it is shown. */
function prepare(title, words) {
  process.stdout.write(`# ${title}: npm ${words.join(' ')}\n`)
  const options = {cwd: root, encoding: 'utf8', maxBuffer: 1e9, shell: process.platform === 'win32'}
  const {status, stdout, stderr, error} = spawnSync('npm', words, options)
  if (status === 0) return
  process.stderr.write(`${stdout ?? ''}${stderr ?? ''}${error ? `${error.message}\n` : ''}`)
  process.exit(status ?? 1)
}
