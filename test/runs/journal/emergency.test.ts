import {chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect} from 'vitest'
import {type Emergency, findEmergency, keepEmergency, removeEmergency} from '../../../src/runs/journal/emergency.js'
import {test} from './a-run.js'

const emergency: Emergency = {run: 'a-run', part: 2, state: 'confirmed', answer: '{"ids":[1]}', why: 'said', at: 5}

function foldersIn(home: string) {
  const folders = {runs: join(home, 'runs'), temporary: join(home, 'temporary')}
  for (const folder of Object.values(folders)) mkdirSync(folder)
  return folders
}

describe('an emergency file', () => {
  test('lies beside the journals, for its owner only, and is read back whole', ({home}) => {
    const folders = foldersIn(home)

    const path = keepEmergency(folders, emergency)

    expect(path).toBe(join(folders.runs, 'a-run.emergency'))
    expect(statSync(String(path)).mode & 0o777).toBe(0o600)
    expect(findEmergency(folders, 'a-run')).toEqual({path, emergency})
    expect(findEmergency(folders, 'another')).toBeUndefined()
    removeEmergency(folders, 'a-run')
    expect(findEmergency(folders, 'a-run')).toBeUndefined()
  })

  test('lies in the temporary folder where the other takes none', ({home}) => {
    const folders = {...foldersIn(home), runs: join(home, 'missing')}

    expect(keepEmergency(folders, emergency)).toBe(join(folders.temporary, 'vendorctl-a-run.emergency'))
    expect(findEmergency(folders, 'a-run')?.emergency).toEqual(emergency)
    expect(keepEmergency({runs: folders.runs, temporary: folders.runs}, emergency)).toBeUndefined()
  })

  test('never replaces another, nor follows a link', ({home}) => {
    const folders = foldersIn(home)
    const victim = join(home, 'victim')
    writeFileSync(victim, 'precious')
    symlinkSync(victim, join(folders.runs, 'a-run.emergency'))

    const path = keepEmergency(folders, emergency)

    expect(path).toContain('temporary')
    expect(readFileSync(victim, 'utf8')).toBe('precious')
  })

  test('is not believed when others could have written it, or when it is half', ({home}) => {
    const folders = foldersIn(home)
    const path = String(keepEmergency(folders, emergency))
    chmodSync(path, 0o666)
    const open = findEmergency(folders, 'a-run')
    chmodSync(path, 0o600)
    writeFileSync(path, '{"run":"a-run","pa')

    expect(open).toBeUndefined()
    expect(findEmergency(folders, 'a-run')).toBeUndefined()
  })
})
