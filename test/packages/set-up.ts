import {execFileSync, spawnSync} from 'node:child_process'
import {existsSync, mkdirSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {root} from '../support/tarball.js'

const needed = ['dpkg', 'dpkg-deb', 'lintian', 'rpm', 'rpmbuild', 'rpmlint', 'mmdebstrap', 'unshare', 'chroot']
/** What the packages depend on, and programs that they are used with: pages are read, and lines are completed. */
const included = ['libatomic1', 'man-db', 'bash-completion', 'zsh', 'fish']

/** A Debian with what it cannot be without, and `included`; removed by hand, since it takes minutes to make. */
export const debian = join(root, 'dist-standalone', 'debian')

/** Stops the tests before the first one where something is missing; builds the packages as a release does. */
export default function setup(): void {
  const missing = needed.filter((name) => spawnSync('which', [name]).status !== 0)
  if (missing.length > 0) {
    throw new Error(`Not found: ${missing.join(', ')}. Get them: apt-get install lintian mmdebstrap rpm rpmlint`)
  }
  if (process.getuid?.() !== 0) throw new Error('Only root can enter a root folder: sudo npm run test:packages')
  const env = {...process.env, GITHUB_SERVER_URL: 'https://github.com', GITHUB_REPOSITORY: 'vendorctl/vendorctl'}
  for (const kind of ['deb', 'rpm']) {
    execFileSync(process.execPath, [join(root, 'bin/tools/packages', `${kind}.js`)], {env, stdio: 'inherit'})
  }
  if (!existsSync(join(debian, 'usr/bin/man'))) {
    const words = ['--variant=essential', '--mode=root', `--include=${included.join(',')}`, 'bookworm', debian]
    execFileSync('mmdebstrap', words, {stdio: 'inherit'})
  }
  putOther()
}

/** A completion of another program: rpm does not know whose that folder is, and would remove it once it is empty. */
function putOther(): void {
  const folder = join(debian, 'usr/share/fish/vendor_completions.d')
  mkdirSync(folder, {recursive: true})
  writeFileSync(join(folder, 'other.fish'), '')
}
