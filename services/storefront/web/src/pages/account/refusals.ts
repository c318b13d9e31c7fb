import type { Belongs } from '@/composables/form'

/** Where the refusals of registration, reset and change of the mobile belong. */
export const entryRefusals: Belongs<'username' | 'password' | 'mobile' | 'code'> = {
  errno: {
    700: 'password',
    701: 'code',
    702: 'code',
    703: 'code',
    704: 'username',
    705: 'mobile',
    706: 'mobile',
    707: 'mobile',
  },
  named: {
    username: ['用户名', 'user name'],
    password: ['密码', '新密码', 'password', 'new password'],
    mobile: ['手机号码', 'mobile number'],
    code: ['验证码', 'code'],
  },
}
