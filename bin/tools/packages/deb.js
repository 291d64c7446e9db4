// npm run build:deb [-- linux-arm64]: a package for Debian and its relatives from the executable, in dist-standalone/packages.
import {execFileSync} from 'node:child_process'
import {createHash} from 'node:crypto'
import {mkdirSync, readFileSync, statSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {emptyFolder, environment, facts, layOut, out, readDocuments} from './tree.js'

const [platform = `linux-${process.arch}`] = process.argv.slice(2)
const architecture = {'linux-x64': 'amd64', 'linux-arm64': 'arm64'}[platform]
const {license, notices, nodeLicense, changes} = readDocuments(platform)
const version = `${facts.version}-1`
const documents = 'usr/share/doc/vendorctl'
const date = facts.date.toUTCString().replace('GMT', '+0000')
const entry = ['  * See changelog.gz.', ` -- ${facts.maintainer}  ${date}`].join('\n\n')

const folder = emptyFolder('deb')
const paths = layOut(folder, {
  platform,
  zshFolder: 'vendor-completions',
  more: {
    [`${documents}/copyright`]: `${license}\nNode.js and the packages that are built in: *.txt.gz beside this file.\n`,
    [`${documents}/node-license.txt.gz`]: nodeLicense,
    [`${documents}/third-party-notices.txt.gz`]: notices,
    [`${documents}/changelog.gz`]: changes,
    [`${documents}/changelog.Debian.gz`]: `vendorctl (${version}) stable; urgency=medium\n\n${entry}\n`,
    'usr/share/lintian/overrides/vendorctl': readFileSync(new URL('lintian-overrides', import.meta.url), 'utf8'),
  },
})
const bytes = paths.reduce((sum, path) => sum + statSync(join(folder, path)).size, 0)
const digest = (path) =>
  createHash('md5')
    .update(readFileSync(join(folder, path)))
    .digest('hex')
const control = {
  Package: 'vendorctl',
  Version: version,
  Architecture: architecture,
  Maintainer: facts.maintainer,
  'Installed-Size': Math.ceil(bytes / 1024),
  Depends: 'libatomic1, libc6 (>= 2.28), libgcc-s1, libstdc++6',
  Section: 'utils',
  Priority: 'optional',
  ...(facts.homepage && {Homepage: facts.homepage}),
  Description: [facts.summary, ...facts.about].join('\n '),
}
mkdirSync(join(folder, 'DEBIAN'), {mode: 0o755})
const lines = Object.entries(control).map(([name, value]) => `${name}: ${value}\n`)
writeFileSync(join(folder, 'DEBIAN/control'), lines.join(''), {mode: 0o644})
writeFileSync(join(folder, 'DEBIAN/md5sums'), paths.map((path) => `${digest(path)}  ${path}\n`).join(''), {mode: 0o644})

const file = join(out, `vendorctl_${version}_${architecture}.deb`)
// The same bytes on any number of cores.
const words = ['--root-owner-group', '-Zgzip', '-z6', '--build', folder, file]
execFileSync('dpkg-deb', words, {env: environment, stdio: ['ignore', 'inherit', 'inherit']})
