import {execFileSync} from 'node:child_process'
import {readdirSync, readFileSync} from 'node:fs'
import {repositoryFacts} from './repository.ts'

const git = (...words) => execFileSync('git', words, {encoding: 'utf8'})
const lines = (text) => text.split('\n').filter(Boolean)
const json = (file) => JSON.parse(readFileSync(file, 'utf8'))

/** The state of this repository before a release; `tag` is set in the workflow of a release. */
export function readFacts(tag) {
  const {version} = json('package.json')
  return {
    changedFiles: lines(git('status', '--porcelain')).map((line) => line.slice('XY '.length)),
    branch: git('rev-parse', '--abbrev-ref', 'HEAD').trim(),
    commit: git('rev-parse', 'HEAD').trim(),
    tags: lines(git('tag', '--list', 'v*')),
    version,
    repository: repositoryFacts(process.env),
    lockVersion: json('package-lock.json').version,
    manifestVersion: json('oclif.manifest.json').version,
    changelog: readFileSync('CHANGELOG.md', 'utf8'),
    notes: readdirSync('.changeset').filter((name) => name.endsWith('.md') && name !== 'README.md'),
    ...(tag !== undefined && {tag}),
  }
}
