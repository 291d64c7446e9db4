import {spawnSync} from 'node:child_process'
import {mkdirSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const cache = join(root, 'node_modules', '.cache', 'nodes')
const isWindows = process.platform === 'win32'

/** The executable of a Node, from npm's `node` package; installed when it is not there. Throws a sentence. */
export function installNode(version) {
  const folder = join(cache, version)
  const executable = join(folder, 'node_modules', 'node', 'bin', isWindows ? 'node.exe' : 'node')
  if (versionOf(executable) === version) return executable
  mkdirSync(folder, {recursive: true})
  // The package fetches the executable of this platform in its install script, and nothing else may run one.
  writeFileSync(join(folder, 'package.json'), '{"private": true, "allowScripts": {"node": true}}\n')
  const words = ['install', '--no-audit', '--no-fund', '--save-exact', `node@${version}`]
  const {status, stderr, error} = spawnSync('npm', words, {cwd: folder, encoding: 'utf8', shell: isWindows})
  if (versionOf(executable) === version) return executable
  throw new Error(
    `Node ${version} is not in ${folder} and could not be installed (npm ended with ${error?.code ?? status}). ` +
      `It is fetched once, and that needs the npm registry.\n${stderr ?? ''}`.trimEnd(),
  )
}

function versionOf(executable) {
  return spawnSync(executable, ['--version'], {encoding: 'utf8'}).stdout?.trim().replace(/^v/, '')
}
