import {execFileSync} from 'node:child_process'
import {chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {gzipSync} from 'node:zlib'
import {shells} from '../../../build/cli/completion/shells/index.js'
import {repositoryFacts} from '../release/repository.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const read = (path) => readFileSync(join(root, path), 'utf8')
const {version, author} = JSON.parse(read('package.json'))
const repository = repositoryFacts(process.env)
const commitSeconds = () => execFileSync('git', ['log', '-1', '--format=%ct'], {cwd: root, encoding: 'utf8'})
/** The time of all files, for tools too: the same sources give the same bytes. */
const seconds = Number(process.env.SOURCE_DATE_EPOCH ?? commitSeconds())

export const out = join(root, 'dist-standalone', 'packages')
export const facts = {
  version,
  summary: 'Bulk operations against the Vendor Interface Service',
  date: new Date(seconds * 1000),
  about: [
    'It reads organizations, sites, machines, alerts and reports in every',
    'format, changes sites, prices and stock from files, and tells the truth',
    'about every row. Node.js is part of it.',
  ],
  homepage: repository?.package.homepage,
  /** With the address that only a release knows. */
  maintainer: repository ? `${author} <${repository.maintainer}>` : author,
}
export const environment = {...process.env, SOURCE_DATE_EPOCH: String(seconds), LC_ALL: 'C.UTF-8', TZ: 'UTC'}

/** A folder below `out` for the files of one kind of package, empty. */
export function emptyFolder(name) {
  const folder = join(out, name)
  rmSync(folder, {recursive: true, force: true})
  mkdirSync(folder, {recursive: true})
  return folder
}

/**
 * Lays out what every system gets: the executable with Node, the manual page, and completions where shells look for
 * them. `more` are further files, as text by path; one that ends in .gz is compressed. Returns all paths, sorted.
 */
export function layOut(folder, {platform, zshFolder, more}) {
  const executable = join(root, 'dist-standalone', platform, 'vendorctl')
  if (!existsSync(executable)) throw new Error(`Not built yet; run: npm run build:standalone -- --platform ${platform}`)
  const script = (name) => shells[name].script({program: '/usr/bin/vendorctl'})
  const texts = {
    'usr/share/man/man1/vendorctl.1.gz': read('dist/vendorctl.1'),
    'usr/share/bash-completion/completions/vendorctl': script('bash'),
    'usr/share/fish/vendor_completions.d/vendorctl.fish': script('fish'),
    [`usr/share/zsh/${zshFolder}/_vendorctl`]: script('zsh'),
    ...more,
  }
  for (const [path, text] of Object.entries(texts)) {
    put(join(folder, path), (file) => writeFileSync(file, path.endsWith('.gz') ? gzipSync(text, {level: 9}) : text))
  }
  put(join(folder, 'usr/bin/vendorctl'), (file) => copyFileSync(executable, file), 0o755)
  return [...Object.keys(texts), 'usr/bin/vendorctl'].sort()
}

/** Licences and changes, as text by their names. */
export function readDocuments(platform) {
  return {
    license: read('LICENSE'),
    notices: read('dist/third-party-notices.txt'),
    nodeLicense: read(`dist-standalone/${platform}/LICENSE-node`),
    changes: read('CHANGELOG.md'),
  }
}

function put(file, write, mode = 0o644) {
  mkdirSync(dirname(file), {recursive: true, mode: 0o755})
  write(file)
  chmodSync(file, mode)
  utimesSync(file, seconds, seconds)
}
