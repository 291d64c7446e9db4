import {expect, test} from 'vitest'
import {renderUnits} from '../../../src/jobs/setup/systemd-units.js'

const madeBy = 'vendorctl jobs setup systemd nightly --at 02:10'
const schedule = {name: 'nightly', at: {hour: 2, minute: 10}, program: ['/usr/bin/node'], environment: {}, madeBy}

test('a service and a timer, which catches up on a night that the machine was off', () => {
  const [service, timer] = renderUnits({
    ...schedule,
    program: ['/usr/bin/node', '/opt/run.js', 'jobs', 'run', 'nightly'],
    environment: {PATH: '/usr/bin:/bin'},
  })

  expect(service).toEqual({
    name: 'vendorctl-nightly.service',
    text: `# vendorctl job nightly
# Made by: vendorctl jobs setup systemd nightly --at 02:10
[Unit]
Description=vendorctl job nightly

[Service]
Type=oneshot
Environment=PATH=/usr/bin:/bin
ExecStart=:/usr/bin/env /usr/bin/node /opt/run.js jobs run nightly
`,
  })
  expect(timer.name).toBe('vendorctl-nightly.timer')
  expect(timer.text).toContain('[Timer]\nOnCalendar=*-*-* 02:10:00\nPersistent=true\n')
})

test('paths are quoted, with nothing in them that systemd would replace', () => {
  const [service] = renderUnits({
    ...schedule,
    program: [String.raw`/ü %h/$HOME/a "b" \n`, "it's", '/a\tb'],
    environment: {XDG_STATE_HOME: '/a b%$'},
  })

  expect(service.text).toContain('Environment="XDG_STATE_HOME=/a b%%$"\n')
  expect(service.text).toContain(String.raw`env "/ü %%h/$HOME/a \"b\" \\n" "it's" "/a\x09b"`)
})
