import {spawnSync} from 'node:child_process'
import {existsSync, mkdirSync, writeFileSync} from 'node:fs'
import {delimiter, dirname, join} from 'node:path'
import {fileURLToPath} from 'node:url'

/** Well-known tools that are made with oclif too; of one of them a topic, and a flag that it does not have. */
const peers = [
  {name: 'heroku', wanted: 'heroku@11.10.0', topic: 'apps', wrong: ['apps', '--no-such-flag'], wrongExit: 2},
  {
    name: 'shopify',
    wanted: '@shopify/cli@4.8.2',
    topic: 'theme',
    wrong: ['theme', 'list', '--no-such-flag'],
    wrongExit: 2,
  },
]
const folder = fileURLToPath(new URL('../../node_modules/.cache/peers', import.meta.url))
const own = join(folder, 'node_modules', '.bin')

/** Those that are installed here by `installPeers`, or are on the path; each with the file that starts it. */
export function findPeers() {
  const places = [own, ...(process.env.PATH ?? '').split(delimiter)]
  return peers.flatMap((peer) => {
    const file = places.map((place) => join(place, peer.name)).find((path) => existsSync(path))
    return file ? [{...peer, file, place: dirname(file)}] : []
  })
}

/** Half a gigabyte, and minutes of waiting: only when asked for. */
export function installPeers() {
  if (findPeers().length === peers.length) return
  mkdirSync(folder, {recursive: true})
  writeFileSync(join(folder, 'package.json'), '{"private": true}\n')
  const words = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--save-exact']
  const {status} = spawnSync('npm', [...words, ...peers.map(({wanted}) => wanted)], {cwd: folder, stdio: 'inherit'})
  if (status !== 0) throw new Error(`npm ended with ${status}: the other tools are fetched from its registry.`)
}
