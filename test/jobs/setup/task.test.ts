import {expect, test} from 'vitest'
import {renderTask, renderTaskRemoval} from '../../../src/jobs/setup/windows-task.js'

const program = [String.raw`C:\Program Files\nodejs\node.exe`, String.raw`C:\it's\run.js`, 'jobs', 'run', 'nightly']
const schedule = {name: 'nightly', at: {hour: 2, minute: 10}, program, environment: {}, madeBy: 'vendorctl'}

test('PowerShell gets a task whose paths are quoted for it and for cmd.exe', () => {
  const text = renderTask(schedule)

  expect(text).toContain(
    String.raw`'/d /s /c ""C:\Program Files\nodejs\node.exe" "C:\it''s\run.js" jobs run nightly >> "%LOCALAPPDATA%\vendorctl\nightly.log" 2>&1"'`,
  )
  expect(text).toContain("-Daily -At '02:10'\n")
  expect(text).toContain("-TaskName 'vendorctl-nightly'")
  expect(renderTaskRemoval('nightly')).toContain("-TaskName 'vendorctl-nightly'")
})

test('what cmd.exe would replace is refused', () => {
  expect(() => renderTask({...schedule, program: [String.raw`C:\100%\node.exe`]})).toThrow('would not leave % as it is')
})
