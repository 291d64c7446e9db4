import {readFileSync} from 'node:fs'
import {fileURLToPath} from 'node:url'
import {describe, expect, test} from 'vitest'
import {renderManual, toRoff} from '../../../src/cli/help/render-manual.js'
import {exitCodes} from '../../../src/contract/index.js'
import {settingKeys} from '../../../src/settings/setting-keys.js'
import {toCommandName} from '../../../src/values/command-facts.js'
import {commandIds, facts} from './facts.js'

const page = readFileSync(fileURLToPath(new URL('../../../dist/vendorctl.1', import.meta.url)), 'utf8')

describe('the manual page', () => {
  test('is what the facts say; npm run manifest writes it', () => {
    expect(page).toBe(renderManual(facts))
  })

  test.each(commandIds)('has %s with all its flags', (id) => {
    const [, section = ''] = page.split(`\n.SS vendorctl ${toRoff(toCommandName(id))} `)
    const [own = ''] = section.split(/\n\.S[SH] /)
    const [, shared = ''] = page.split('\n.SH SHARED FLAGS\n')

    const {summary = '', flags = {}} = facts.commands[id] ?? {}
    expect(own).toContain(toRoff(summary))
    for (const {name, helpGroup, env = '', hidden} of Object.values(flags)) {
      const flag = `\\fB${toRoff(`--${name}`)}\\fR`
      if (!hidden && helpGroup !== 'GLOBAL') expect(own).toContain(flag)
      expect(page).toContain(toRoff(env))
      if (!hidden) expect(own.includes(flag) || shared.includes(flag)).toBe(true)
    }
  })

  test('has every exit code and every variable', () => {
    for (const {code, about} of Object.values(exitCodes)) {
      expect(page).toContain(`\\fB${code}\\fR`)
      expect(page).toContain(toRoff(about))
    }
    for (const {environment} of Object.values(settingKeys)) expect(page).toContain(toRoff(environment))
  })

  test('has no line that begins with a flag, since fish would offer it for every command', () => {
    expect(page.match(/^(\\f[BI])?\\?-.*$/gm)).toBeNull()
  })

  test('is ASCII, and no text in it acts', () => {
    expect(page).toMatch(/^[\n -~]*$/)
    expect(toRoff(".x\n'y\na-b \\n …")).toBe("\\&.x\n\\&'y\na\\-b \\en ...")
    const requests = new Set(page.match(/^[.'][^ \n]*/gm))
    expect([...requests].sort()).toEqual(['.IP', '.PP', '.SH', '.SS', '.TH', '.TP', '.ad', '.fi', '.nf', '.nh'])
  })
})
