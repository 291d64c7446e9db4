import {execFileSync, spawnSync} from 'node:child_process'
import {readdirSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {root} from '../support/tarball.js'
import {listRoot, runInRoot} from './in-root.js'
import {debian} from './set-up.js'

const folder = join(root, 'dist-standalone', 'packages')
const file = (ending: string) => join(folder, readdirSync(folder).find((name) => name.endsWith(ending)) ?? ending)
const run = (program: string, ...words: string[]) => {
  const {stdout, stderr} = spawnSync(program, words, {encoding: 'utf8'})
  return `${stdout}${stderr}`.trim()
}
/** That root has no rpm packages, so that rpm does not know the C library in it. */
const rpm = ['--root', debian, '--dbpath', '/var/lib/rpm', '--nodeps']

const kinds = [
  {
    kind: 'deb',
    zsh: '',
    install: () => execFileSync('dpkg', ['--root', debian, '--install', file('.deb')]),
    remove: () => execFileSync('dpkg', ['--root', debian, '--purge', 'vendorctl']),
  },
  {
    kind: 'rpm',
    zsh: 'fpath+=(/usr/share/zsh/site-functions); ', // where Fedora looks
    install: () => execFileSync('rpm', [...rpm, '--install', file('.rpm')]),
    remove: () => execFileSync('rpm', [...rpm, '--erase', 'vendorctl']),
  },
]

const systemProfiles = '{"profiles": {"fleet": {"baseUrl": "https://fleet.example.com"}}}'
const steps = (zsh: string) => `
  mkdir -p /tmp/home /etc/vendorctl
  echo '${systemProfiles}' > /etc/vendorctl/profiles.json
  vendorctl profiles show fleet --origin -o csv | grep baseUrl
  vendorctl sandbox start --detach
  vendorctl machines list -p sandbox --columns id,name -o csv --limit 1
  vendorctl sandbox stop
  man -l /usr/share/man/man1/vendorctl.1.gz | head -4
  man --where vendorctl
  bash -c '. /usr/share/bash-completion/bash_completion
    COMP_LINE="vendorctl machines l" COMP_POINT=20 COMP_WORDS=(vendorctl machines l) COMP_CWORD=2
    _completion_loader vendorctl || [ $? = 124 ]
    _vendorctl vendorctl l machines; echo "bash: \${COMPREPLY[*]}"'
  fish -c 'echo fish: (complete -C "vendorctl machines l")'
  zsh -fc '${zsh}autoload -Uz compinit; compinit -u -D; echo zsh: $_comps[vendorctl]'
  rm -r /tmp/home /etc/vendorctl
`

describe.each(kinds)('the $kind package', ({zsh, install, remove}) => {
  test('is installed, works with its manual and completions, and leaves nothing when it is removed', () => {
    const before = listRoot(debian)
    install()
    const shown = runInRoot(debian, steps(zsh))
    remove()

    expect(shown).toMatch(/^baseUrl,https:\/\/fleet\.example\.com,system,/m)
    expect(shown).toMatch(/^id,name\n5001,/m)
    expect(shown).toContain('VENDORCTL(1)')
    expect(shown).toMatch(/^\/usr\/share\/man\/man1\/vendorctl\.1\.gz$/m)
    expect(shown).toMatch(/^bash: list\s*$/m)
    expect(shown).toMatch(/^fish: list\t/m)
    expect(shown).toMatch(/^zsh: _vendorctl$/m)
    expect(listRoot(debian)).toEqual(before)
  })
})

describe('linters find nothing that is not explained', () => {
  test('lintian', () => {
    expect(run('lintian', '--allow-root', '--tag-display-limit', '0', file('.deb'))).toBe('')
  })

  test('rpmlint', () => {
    const config = join(root, 'bin/tools/packages/rpmlint.toml')

    expect(run('rpmlint', '-c', config, file('.rpm'))).toMatch(/ 0 errors, 0 warnings/)
  })
})

test('licences, changes and the manual are in both', () => {
  const names = [run('dpkg-deb', '--contents', file('.deb')), run('rpm', '-qpl', file('.rpm'))]

  for (const name of ['LICENSE|copyright', 'third-party-notices', 'node-license|LICENSE-node', 'man1/vendorctl.1.gz']) {
    expect(names).toEqual([expect.stringMatching(name), expect.stringMatching(name)])
  }
})
