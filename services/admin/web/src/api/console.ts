// Generated from the declarations of the operations: make docs.
import type { Area, MenuGroup } from '../console/shape'

export const permissions = [
  "admin:user:list",
  "admin:user:export",
  "admin:user:read",
  "admin:user:update",
  "admin:address:list",
  "admin:collect:list",
  "admin:footprint:list",
  "admin:history:list",
  "admin:feedback:list",
  "admin:brand:list",
  "admin:brand:create",
  "admin:brand:read",
  "admin:brand:update",
  "admin:brand:delete",
  "admin:category:list",
  "admin:category:create",
  "admin:category:read",
  "admin:category:update",
  "admin:category:delete",
  "admin:order:list",
  "admin:order:export",
  "admin:order:read",
  "admin:order:ship",
  "admin:order:reship",
  "admin:order:refund",
  "admin:order:reject",
  "admin:order:pay",
  "admin:order:delete",
  "admin:order:reply",
  "admin:aftersale:list",
  "admin:aftersale:recept",
  "admin:aftersale:batch-recept",
  "admin:aftersale:reject",
  "admin:aftersale:batch-reject",
  "admin:aftersale:refund",
  "admin:issue:list",
  "admin:issue:create",
  "admin:issue:read",
  "admin:issue:update",
  "admin:issue:delete",
  "admin:keyword:list",
  "admin:keyword:create",
  "admin:keyword:read",
  "admin:keyword:update",
  "admin:keyword:delete",
  "admin:goods:list",
  "admin:goods:read",
  "admin:goods:create",
  "admin:goods:update",
  "admin:goods:delete",
  "admin:goods:hot",
  "admin:goods:export",
  "admin:comment:list",
  "admin:comment:delete",
  "admin:ad:list",
  "admin:ad:create",
  "admin:ad:read",
  "admin:ad:update",
  "admin:ad:delete",
  "admin:coupon:list",
  "admin:coupon:listuser",
  "admin:coupon:export",
  "admin:coupon:create",
  "admin:coupon:read",
  "admin:coupon:update",
  "admin:coupon:delete",
  "admin:groupon:list",
  "admin:groupon:read",
  "admin:groupon:create",
  "admin:groupon:update",
  "admin:groupon:delete",
  "admin:topic:list",
  "admin:topic:create",
  "admin:topic:read",
  "admin:topic:update",
  "admin:topic:delete",
  "admin:topic:batch-delete",
  "admin:admin:list",
  "admin:admin:create",
  "admin:admin:read",
  "admin:admin:update",
  "admin:admin:delete",
  "admin:notice:list",
  "admin:notice:create",
  "admin:notice:read",
  "admin:notice:update",
  "admin:notice:delete",
  "admin:notice:batch-delete",
  "admin:log:list",
  "admin:role:list",
  "admin:role:create",
  "admin:role:read",
  "admin:role:update",
  "admin:role:delete",
  "admin:role:permission-get",
  "admin:role:permission-update",
  "admin:storage:list",
  "admin:storage:create",
  "admin:storage:read",
  "admin:storage:update",
  "admin:storage:delete",
  "admin:find:list",
  "admin:config:mall-list",
  "admin:config:mall-update",
  "admin:config:express-list",
  "admin:config:express-update",
  "admin:config:order-list",
  "admin:config:order-update",
  "admin:config:wx-list",
  "admin:config:wx-update",
  "admin:stat:user",
  "admin:stat:order",
  "admin:stat:goods"
] as const

export type Permission = (typeof permissions)[number]

export const menus: readonly MenuGroup[] = [
  {
    "id": "user",
    "label": {
      "en": "Users",
      "zh": "用户管理"
    },
    "pages": [
      {
        "id": "user/user",
        "label": {
          "en": "Members",
          "zh": "会员管理"
        },
        "permissions": [
          "admin:user:list",
          "admin:user:export",
          "admin:user:read",
          "admin:user:update"
        ]
      },
      {
        "id": "user/address",
        "label": {
          "en": "Delivery addresses",
          "zh": "收货地址"
        },
        "permissions": [
          "admin:address:list"
        ]
      },
      {
        "id": "user/collect",
        "label": {
          "en": "Collections",
          "zh": "会员收藏"
        },
        "permissions": [
          "admin:collect:list"
        ]
      },
      {
        "id": "user/footprint",
        "label": {
          "en": "Footprints",
          "zh": "会员足迹"
        },
        "permissions": [
          "admin:footprint:list"
        ]
      },
      {
        "id": "user/history",
        "label": {
          "en": "Search history",
          "zh": "搜索历史"
        },
        "permissions": [
          "admin:history:list"
        ]
      },
      {
        "id": "user/feedback",
        "label": {
          "en": "Feedback",
          "zh": "意见反馈"
        },
        "permissions": [
          "admin:feedback:list"
        ]
      }
    ]
  },
  {
    "id": "mall",
    "label": {
      "en": "Mall",
      "zh": "商场管理"
    },
    "pages": [
      {
        "id": "mall/brand",
        "label": {
          "en": "Brands",
          "zh": "品牌制造商"
        },
        "permissions": [
          "admin:brand:list",
          "admin:brand:create",
          "admin:brand:read",
          "admin:brand:update",
          "admin:brand:delete"
        ]
      },
      {
        "id": "mall/category",
        "label": {
          "en": "Categories",
          "zh": "商品类目"
        },
        "permissions": [
          "admin:category:list",
          "admin:category:create",
          "admin:category:read",
          "admin:category:update",
          "admin:category:delete"
        ]
      },
      {
        "id": "mall/order",
        "label": {
          "en": "Orders",
          "zh": "订单管理"
        },
        "permissions": [
          "admin:order:list",
          "admin:order:export",
          "admin:order:read",
          "admin:order:ship",
          "admin:order:reship",
          "admin:order:refund",
          "admin:order:reject",
          "admin:order:pay",
          "admin:order:delete",
          "admin:order:reply"
        ]
      },
      {
        "id": "mall/aftersale",
        "label": {
          "en": "After-sale",
          "zh": "售后管理"
        },
        "permissions": [
          "admin:aftersale:list",
          "admin:aftersale:recept",
          "admin:aftersale:batch-recept",
          "admin:aftersale:reject",
          "admin:aftersale:batch-reject",
          "admin:aftersale:refund"
        ]
      },
      {
        "id": "mall/issue",
        "label": {
          "en": "Common questions",
          "zh": "通用问题"
        },
        "permissions": [
          "admin:issue:list",
          "admin:issue:create",
          "admin:issue:read",
          "admin:issue:update",
          "admin:issue:delete"
        ]
      },
      {
        "id": "mall/keyword",
        "label": {
          "en": "Keywords",
          "zh": "关键词"
        },
        "permissions": [
          "admin:keyword:list",
          "admin:keyword:create",
          "admin:keyword:read",
          "admin:keyword:update",
          "admin:keyword:delete"
        ]
      }
    ]
  },
  {
    "id": "goods",
    "label": {
      "en": "Goods",
      "zh": "商品管理"
    },
    "pages": [
      {
        "id": "goods/goods",
        "label": {
          "en": "Goods list",
          "zh": "商品列表"
        },
        "permissions": [
          "admin:goods:list",
          "admin:goods:read",
          "admin:goods:create",
          "admin:goods:update",
          "admin:goods:delete",
          "admin:goods:hot",
          "admin:goods:export"
        ]
      },
      {
        "id": "goods/comment",
        "label": {
          "en": "Comments",
          "zh": "商品评论"
        },
        "permissions": [
          "admin:comment:list",
          "admin:comment:delete"
        ]
      }
    ]
  },
  {
    "id": "promotion",
    "label": {
      "en": "Promotion",
      "zh": "推广管理"
    },
    "pages": [
      {
        "id": "promotion/ad",
        "label": {
          "en": "Ads",
          "zh": "广告管理"
        },
        "permissions": [
          "admin:ad:list",
          "admin:ad:create",
          "admin:ad:read",
          "admin:ad:update",
          "admin:ad:delete"
        ]
      },
      {
        "id": "promotion/coupon",
        "label": {
          "en": "Coupons",
          "zh": "优惠券管理"
        },
        "permissions": [
          "admin:coupon:list",
          "admin:coupon:listuser",
          "admin:coupon:export",
          "admin:coupon:create",
          "admin:coupon:read",
          "admin:coupon:update",
          "admin:coupon:delete"
        ]
      },
      {
        "id": "promotion/groupon",
        "label": {
          "en": "Group purchases",
          "zh": "团购管理"
        },
        "permissions": [
          "admin:groupon:list",
          "admin:groupon:read",
          "admin:groupon:create",
          "admin:groupon:update",
          "admin:groupon:delete"
        ]
      },
      {
        "id": "promotion/topic",
        "label": {
          "en": "Topics",
          "zh": "专题管理"
        },
        "permissions": [
          "admin:topic:list",
          "admin:topic:create",
          "admin:topic:read",
          "admin:topic:update",
          "admin:topic:delete",
          "admin:topic:batch-delete"
        ]
      }
    ]
  },
  {
    "id": "sys",
    "label": {
      "en": "System",
      "zh": "系统管理"
    },
    "pages": [
      {
        "id": "sys/admin",
        "label": {
          "en": "Administrators",
          "zh": "管理员管理"
        },
        "permissions": [
          "admin:admin:list",
          "admin:admin:create",
          "admin:admin:read",
          "admin:admin:update",
          "admin:admin:delete"
        ]
      },
      {
        "id": "sys/notice",
        "label": {
          "en": "Notices",
          "zh": "通知管理"
        },
        "permissions": [
          "admin:notice:list",
          "admin:notice:create",
          "admin:notice:read",
          "admin:notice:update",
          "admin:notice:delete",
          "admin:notice:batch-delete"
        ]
      },
      {
        "id": "sys/log",
        "label": {
          "en": "Operation log",
          "zh": "操作日志"
        },
        "permissions": [
          "admin:log:list"
        ]
      },
      {
        "id": "sys/role",
        "label": {
          "en": "Roles",
          "zh": "角色管理"
        },
        "permissions": [
          "admin:role:list",
          "admin:role:create",
          "admin:role:read",
          "admin:role:update",
          "admin:role:delete",
          "admin:role:permission-get",
          "admin:role:permission-update"
        ]
      },
      {
        "id": "sys/storage",
        "label": {
          "en": "Object storage",
          "zh": "对象存储"
        },
        "permissions": [
          "admin:storage:list",
          "admin:storage:create",
          "admin:storage:read",
          "admin:storage:update",
          "admin:storage:delete"
        ]
      },
      {
        "id": "sys/find",
        "label": {
          "en": "Find",
          "zh": "查找"
        },
        "permissions": [
          "admin:find:list"
        ]
      }
    ]
  },
  {
    "id": "config",
    "label": {
      "en": "Configuration",
      "zh": "配置管理"
    },
    "pages": [
      {
        "id": "config/mall",
        "label": {
          "en": "Mall",
          "zh": "商场配置"
        },
        "permissions": [
          "admin:config:mall-list",
          "admin:config:mall-update"
        ]
      },
      {
        "id": "config/express",
        "label": {
          "en": "Freight",
          "zh": "运费配置"
        },
        "permissions": [
          "admin:config:express-list",
          "admin:config:express-update"
        ]
      },
      {
        "id": "config/order",
        "label": {
          "en": "Orders",
          "zh": "订单配置"
        },
        "permissions": [
          "admin:config:order-list",
          "admin:config:order-update"
        ]
      },
      {
        "id": "config/wx",
        "label": {
          "en": "Mini program",
          "zh": "小程序配置"
        },
        "permissions": [
          "admin:config:wx-list",
          "admin:config:wx-update"
        ]
      }
    ]
  },
  {
    "id": "stat",
    "label": {
      "en": "Statistics",
      "zh": "统计报表"
    },
    "pages": [
      {
        "id": "stat/user",
        "label": {
          "en": "Users",
          "zh": "用户统计"
        },
        "permissions": [
          "admin:stat:user"
        ]
      },
      {
        "id": "stat/order",
        "label": {
          "en": "Orders",
          "zh": "订单统计"
        },
        "permissions": [
          "admin:stat:order"
        ]
      },
      {
        "id": "stat/goods",
        "label": {
          "en": "Goods",
          "zh": "商品统计"
        },
        "permissions": [
          "admin:stat:goods"
        ]
      }
    ]
  }
]

export const operations: Readonly<Record<string, Permission>> = {
  "GET /admin/ad/list": "admin:ad:list",
  "GET /admin/ad/read": "admin:ad:read",
  "GET /admin/address/list": "admin:address:list",
  "GET /admin/admin/list": "admin:admin:list",
  "GET /admin/admin/read": "admin:admin:read",
  "GET /admin/aftersale/counts": "admin:aftersale:list",
  "GET /admin/aftersale/list": "admin:aftersale:list",
  "GET /admin/aftersale/read": "admin:aftersale:list",
  "GET /admin/brand/list": "admin:brand:list",
  "GET /admin/brand/read": "admin:brand:read",
  "GET /admin/category/l1": "admin:category:list",
  "GET /admin/category/list": "admin:category:list",
  "GET /admin/category/read": "admin:category:read",
  "GET /admin/collect/list": "admin:collect:list",
  "GET /admin/comment/list": "admin:comment:list",
  "GET /admin/config/express": "admin:config:express-list",
  "GET /admin/config/mall": "admin:config:mall-list",
  "GET /admin/config/order": "admin:config:order-list",
  "GET /admin/config/wx": "admin:config:wx-list",
  "GET /admin/coupon/export": "admin:coupon:export",
  "GET /admin/coupon/list": "admin:coupon:list",
  "GET /admin/coupon/listuser": "admin:coupon:listuser",
  "GET /admin/coupon/read": "admin:coupon:read",
  "GET /admin/feedback/list": "admin:feedback:list",
  "GET /admin/find": "admin:find:list",
  "GET /admin/footprint/list": "admin:footprint:list",
  "GET /admin/goods/detail": "admin:goods:read",
  "GET /admin/goods/export": "admin:goods:export",
  "GET /admin/goods/list": "admin:goods:list",
  "GET /admin/groupon/list": "admin:groupon:list",
  "GET /admin/groupon/listRecord": "admin:groupon:read",
  "GET /admin/history/list": "admin:history:list",
  "GET /admin/issue/list": "admin:issue:list",
  "GET /admin/issue/read": "admin:issue:read",
  "GET /admin/keyword/list": "admin:keyword:list",
  "GET /admin/keyword/read": "admin:keyword:read",
  "GET /admin/log/list": "admin:log:list",
  "GET /admin/notice/list": "admin:notice:list",
  "GET /admin/notice/read": "admin:notice:read",
  "GET /admin/order/cases": "admin:order:refund",
  "GET /admin/order/counts": "admin:order:list",
  "GET /admin/order/detail": "admin:order:read",
  "GET /admin/order/export": "admin:order:export",
  "GET /admin/order/list": "admin:order:list",
  "GET /admin/role/list": "admin:role:list",
  "GET /admin/role/permissions": "admin:role:permission-get",
  "GET /admin/role/read": "admin:role:read",
  "GET /admin/stat/goods": "admin:stat:goods",
  "GET /admin/stat/order": "admin:stat:order",
  "GET /admin/stat/user": "admin:stat:user",
  "GET /admin/storage/list": "admin:storage:list",
  "GET /admin/storage/read": "admin:storage:read",
  "GET /admin/topic/list": "admin:topic:list",
  "GET /admin/topic/read": "admin:topic:read",
  "GET /admin/user/detail": "admin:user:read",
  "GET /admin/user/export": "admin:user:export",
  "GET /admin/user/list": "admin:user:list",
  "POST /admin/ad/create": "admin:ad:create",
  "POST /admin/ad/delete": "admin:ad:delete",
  "POST /admin/ad/update": "admin:ad:update",
  "POST /admin/admin/create": "admin:admin:create",
  "POST /admin/admin/delete": "admin:admin:delete",
  "POST /admin/admin/update": "admin:admin:update",
  "POST /admin/aftersale/batch-recept": "admin:aftersale:batch-recept",
  "POST /admin/aftersale/batch-reject": "admin:aftersale:batch-reject",
  "POST /admin/aftersale/recept": "admin:aftersale:recept",
  "POST /admin/aftersale/refund": "admin:aftersale:refund",
  "POST /admin/aftersale/reject": "admin:aftersale:reject",
  "POST /admin/brand/create": "admin:brand:create",
  "POST /admin/brand/delete": "admin:brand:delete",
  "POST /admin/brand/update": "admin:brand:update",
  "POST /admin/category/create": "admin:category:create",
  "POST /admin/category/delete": "admin:category:delete",
  "POST /admin/category/update": "admin:category:update",
  "POST /admin/comment/delete": "admin:comment:delete",
  "POST /admin/config/express": "admin:config:express-update",
  "POST /admin/config/mall": "admin:config:mall-update",
  "POST /admin/config/order": "admin:config:order-update",
  "POST /admin/config/wx": "admin:config:wx-update",
  "POST /admin/coupon/create": "admin:coupon:create",
  "POST /admin/coupon/delete": "admin:coupon:delete",
  "POST /admin/coupon/update": "admin:coupon:update",
  "POST /admin/goods/create": "admin:goods:create",
  "POST /admin/goods/delete": "admin:goods:delete",
  "POST /admin/goods/hot": "admin:goods:hot",
  "POST /admin/goods/import": "admin:goods:create",
  "POST /admin/goods/import/check": "admin:goods:create",
  "POST /admin/goods/update": "admin:goods:update",
  "POST /admin/groupon/create": "admin:groupon:create",
  "POST /admin/groupon/delete": "admin:groupon:delete",
  "POST /admin/groupon/update": "admin:groupon:update",
  "POST /admin/issue/create": "admin:issue:create",
  "POST /admin/issue/delete": "admin:issue:delete",
  "POST /admin/issue/update": "admin:issue:update",
  "POST /admin/keyword/create": "admin:keyword:create",
  "POST /admin/keyword/delete": "admin:keyword:delete",
  "POST /admin/keyword/update": "admin:keyword:update",
  "POST /admin/notice/batch-delete": "admin:notice:batch-delete",
  "POST /admin/notice/create": "admin:notice:create",
  "POST /admin/notice/delete": "admin:notice:delete",
  "POST /admin/notice/update": "admin:notice:update",
  "POST /admin/order/case/dismiss": "admin:order:refund",
  "POST /admin/order/case/repay": "admin:order:refund",
  "POST /admin/order/case/retry": "admin:order:refund",
  "POST /admin/order/case/settle": "admin:order:refund",
  "POST /admin/order/delete": "admin:order:delete",
  "POST /admin/order/pay": "admin:order:pay",
  "POST /admin/order/refund": "admin:order:refund",
  "POST /admin/order/reject": "admin:order:reject",
  "POST /admin/order/reply": "admin:order:reply",
  "POST /admin/order/reship": "admin:order:reship",
  "POST /admin/order/ship": "admin:order:ship",
  "POST /admin/role/create": "admin:role:create",
  "POST /admin/role/delete": "admin:role:delete",
  "POST /admin/role/permissions": "admin:role:permission-update",
  "POST /admin/role/update": "admin:role:update",
  "POST /admin/storage/create": "admin:storage:create",
  "POST /admin/storage/delete": "admin:storage:delete",
  "POST /admin/storage/read": "admin:storage:read",
  "POST /admin/storage/update": "admin:storage:update",
  "POST /admin/topic/batch-delete": "admin:topic:batch-delete",
  "POST /admin/topic/create": "admin:topic:create",
  "POST /admin/topic/delete": "admin:topic:delete",
  "POST /admin/topic/update": "admin:topic:update",
  "POST /admin/user/update": "admin:user:update"
}

export const areas: Readonly<Record<string, Area>> = {
  "ad": {
    "id": "ad",
    "page": "promotion/ad",
    "list": {
      "path": "/admin/ad/list",
      "method": "GET",
      "permission": "admin:ad:list",
      "button": {
        "en": "Query",
        "zh": "查询"
      },
      "fields": [
        {
          "name": "name",
          "label": {
            "en": "Name",
            "zh": "名称"
          },
          "kind": "text"
        },
        {
          "name": "content",
          "label": {
            "en": "Content",
            "zh": "内容"
          },
          "kind": "text",
          "show": {
            "as": "long"
          }
        }
      ],
      "columns": [
        {
          "name": "url",
          "label": {
            "en": "Picture",
            "zh": "图片"
          },
          "kind": "text",
          "show": {
            "as": "picture"
          }
        },
        {
          "name": "name",
          "label": {
            "en": "Name",
            "zh": "名称"
          },
          "kind": "text",
          "opens": true
        },
        {
          "name": "content",
          "label": {
            "en": "Content",
            "zh": "内容"
          },
          "kind": "text",
          "show": {
            "as": "long"
          }
        },
        {
          "name": "position",
          "label": {
            "en": "Position",
            "zh": "位置"
          },
          "kind": "integer",
          "show": {
            "as": "one",
            "one": [
              {
                "value": 1,
                "label": {
                  "en": "home page",
                  "zh": "首页"
                }
              }
            ]
          }
        },
        {
          "name": "enabled",
          "label": {
            "en": "Enabled",
            "zh": "启用状态"
          },
          "kind": "boolean",
          "switches": true
        },
        {
          "name": "startTime",
          "label": {
            "en": "Start time",
            "zh": "开始时间"
          },
          "kind": "time"
        },
        {
          "name": "endTime",
          "label": {
            "en": "End time",
            "zh": "结束时间"
          },
          "kind": "time"
        }
      ],
      "row": [
        {
          "name": "id",
          "label": {
            "en": "Id",
            "zh": "编号"
          },
          "kind": "integer"
        },
        {
          "name": "name",
          "label": {
            "en": "Name",
            "zh": "名称"
          },
          "kind": "text"
        },
        {
          "name": "content",
          "label": {
            "en": "Content",
            "zh": "内容"
          },
          "kind": "text",
          "show": {
            "as": "long"
          }
        },
        {
          "name": "url",
          "label": {
            "en": "Picture",
            "zh": "图片"
          },
          "kind": "text",
          "show": {
            "as": "picture"
          }
        },
        {
          "name": "link",
          "label": {
            "en": "Link",
            "zh": "链接"
          },
          "kind": "text",
          "show": {
            "as": "link"
          }
        },
        {
          "name": "position",
          "label": {
            "en": "Position",
            "zh": "位置"
          },
          "kind": "integer",
          "show": {
            "as": "one",
            "one": [
              {
                "value": 1,
                "label": {
                  "en": "home page",
                  "zh": "首页"
                }
              }
            ]
          }
        },
        {
          "name": "enabled",
          "label": {
            "en": "Enabled",
            "zh": "启用状态"
          },
          "kind": "boolean"
        },
        {
          "name": "startTime",
          "label": {
            "en": "Start time",
            "zh": "开始时间"
          },
          "kind": "time"
        },
        {
          "name": "endTime",
          "label": {
            "en": "End time",
            "zh": "结束时间"
          },
          "kind": "time"
        },
        {
          "name": "addTime",
          "label": {
            "en": "Creation time",
            "zh": "创建时间"
          },
          "kind": "time"
        },
        {
          "name": "updateTime",
          "label": {
            "en": "Update time",
            "zh": "更新时间"
          },
          "kind": "time"
        },
        {
          "name": "deleted",
          "label": {
            "en": "Deletion",
            "zh": "删除标记"
          },
          "kind": "boolean"
        }
      ],
      "sorts": [
        "add_time",
        "id"
      ],
      "paged": true
    },
    "create": {
      "path": "/admin/ad/create",
      "method": "POST",
      "permission": "admin:ad:create",
      "button": {
        "en": "Add",
        "zh": "添加"
      },
      "fields": [
        {
          "name": "name",
          "label": {
            "en": "Name",
            "zh": "名称"
          },
          "kind": "text",
          "required": true,
          "max": 63
        },
        {
          "name": "content",
          "label": {
            "en": "Content",
            "zh": "内容"
          },
          "kind": "text",
          "required": true,
          "max": 255,
          "show": {
            "as": "long"
          }
        },
        {
          "name": "url",
          "label": {
            "en": "Picture",
            "zh": "图片"
          },
          "kind": "text",
          "required": true,
          "max": 255,
          "show": {
            "as": "picture"
          }
        },
        {
          "name": "link",
          "label": {
            "en": "Link",
            "zh": "链接"
          },
          "kind": "text",
          "max": 255
        },
        {
          "name": "position",
          "label": {
            "en": "Position",
            "zh": "位置"
          },
          "kind": "integer",
          "min": 1,
          "max": 127,
          "default": "1",
          "show": {
            "as": "one",
            "one": [
              {
                "value": 1,
                "label": {
                  "en": "home page",
                  "zh": "首页"
                }
              }
            ]
          }
        },
        {
          "name": "enabled",
          "label": {
            "en": "Enabled",
            "zh": "启用状态"
          },
          "kind": "boolean"
        },
        {
          "name": "startTime",
          "label": {
            "en": "Start time",
            "zh": "开始时间"
          },
          "kind": "text",
          "show": {
            "as": "time"
          }
        },
        {
          "name": "endTime",
          "label": {
            "en": "End time",
            "zh": "结束时间"
          },
          "kind": "text",
          "show": {
            "as": "time"
          }
        }
      ]
    },
    "read": {
      "path": "/admin/ad/read",
      "method": "GET",
      "permission": "admin:ad:read",
      "button": {
        "en": "Detail",
        "zh": "详情"
      },
      "fields": [
        {
          "name": "id",
          "label": {
            "en": "Id",
            "zh": "编号"
          },
          "kind": "id",
          "required": true
        }
      ]
    },
    "update": {
      "path": "/admin/ad/update",
      "method": "POST",
      "permission": "admin:ad:update",
      "button": {
        "en": "Edit",
        "zh": "编辑"
      },
      "fields": [
        {
          "name": "id",
          "label": {
            "en": "Id",
            "zh": "编号"
          },
          "kind": "id",
          "required": true
        },
        {
          "name": "expectedUpdateTime",
          "label": {
            "en": "Update time",
            "zh": "更新时间"
          },
          "kind": "text",
          "show": {
            "as": "time"
          }
        },
        {
          "name": "name",
          "label": {
            "en": "Name",
            "zh": "名称"
          },
          "kind": "text",
          "notBlank": true,
          "max": 63
        },
        {
          "name": "content",
          "label": {
            "en": "Content",
            "zh": "内容"
          },
          "kind": "text",
          "notBlank": true,
          "max": 255,
          "show": {
            "as": "long"
          }
        },
        {
          "name": "url",
          "label": {
            "en": "Picture",
            "zh": "图片"
          },
          "kind": "text",
          "notBlank": true,
          "max": 255,
          "show": {
            "as": "picture"
          }
        },
        {
          "name": "link",
          "label": {
            "en": "Link",
            "zh": "链接"
          },
          "kind": "text",
          "max": 255
        },
        {
          "name": "position",
          "label": {
            "en": "Position",
            "zh": "位置"
          },
          "kind": "integer",
          "min": 1,
          "max": 127,
          "show": {
            "as": "one",
            "one": [
              {
                "value": 1,
                "label": {
                  "en": "home page",
                  "zh": "首页"
                }
              }
            ]
          }
        },
        {
          "name": "enabled",
          "label": {
            "en": "Enabled",
            "zh": "启用状态"
          },
          "kind": "boolean"
        },
        {
          "name": "startTime",
          "label": {
            "en": "Start time",
            "zh": "开始时间"
          },
          "kind": "text",
          "show": {
            "as": "time"
          }
        },
        {
          "name": "endTime",
          "label": {
            "en": "End time",
            "zh": "结束时间"
          },
          "kind": "text",
          "show": {
            "as": "time"
          }
        }
      ]
    },
    "delete": {
      "path": "/admin/ad/delete",
      "method": "POST",
      "permission": "admin:ad:delete",
      "button": {
        "en": "Delete",
        "zh": "删除"
      },
      "fields": [
        {
          "name": "id",
          "label": {
            "en": "Id",
            "zh": "编号"
          },
          "kind": "id",
          "required": true
        }
      ]
    },
    "acts": []
  },
  "address": {
    "id": "address",
    "page": "user/address",
    "list": {
      "path": "/admin/address/list",
      "method": "GET",
      "permission": "admin:address:list",
      "button": {
        "en": "Query",
        "zh": "查询"
      },
      "fields": [
        {
          "name": "userId",
          "label": {
            "en": "User",
            "zh": "用户"
          },
          "kind": "id",
          "show": {
            "as": "of",
            "of": "user"
          }
        },
        {
          "name": "name",
          "label": {
            "en": "Name",
            "zh": "名称"
          },
          "kind": "text"
        }
      ],
      "columns": [
        {
          "name": "name",
          "label": {
            "en": "Name",
            "zh": "名称"
          },
          "kind": "text"
        },
        {
          "name": "tel",
          "label": {
            "en": "Mobile number",
            "zh": "手机号码"
          },
          "kind": "text"
        },
        {
          "name": "province",
          "label": {
            "en": "Province",
            "zh": "省份"
          },
          "kind": "text"
        },
        {
          "name": "city",
          "label": {
            "en": "City",
            "zh": "城市"
          },
          "kind": "text"
        },
        {
          "name": "county",
          "label": {
            "en": "County",
            "zh": "区县"
          },
          "kind": "text"
        },
        {
          "name": "addressDetail",
          "label": {
            "en": "Street address",
            "zh": "详细地址"
          },
          "kind": "text"
        },
        {
          "name": "username",
          "label": {
            "en": "User name",
            "zh": "用户名"
          },
          "kind": "text"
        },
        {
          "name": "isDefault",
          "label": {
            "en": "Default",
            "zh": "默认标记"
          },
          "kind": "boolean"
        }
      ],
      "row": [
        {
          "name": "id",
          "label": {
            "en": "Id",
            "zh": "编号"
          },
          "kind": "integer"
        },
        {
          "name": "name",
          "label": {
            "en": "Name",
            "zh": "名称"
          },
          "kind": "text"
        },
        {
          "name": "userId",
          "label": {
            "en": "User",
            "zh": "用户"
          },
          "kind": "integer",
          "show": {
            "as": "of",
            "of": "user"
          }
        },
        {
          "name": "province",
          "label": {
            "en": "Province",
            "zh": "省份"
          },
          "kind": "text"
        },
        {
          "name": "city",
          "label": {
            "en": "City",
            "zh": "城市"
          },
          "kind": "text"
        },
        {
          "name": "county",
          "label": {
            "en": "County",
            "zh": "区县"
          },
          "kind": "text"
        },
        {
          "name": "addressDetail",
          "label": {
            "en": "Street address",
            "zh": "详细地址"
          },
          "kind": "text"
        },
        {
          "name": "areaCode",
          "label": {
            "en": "Area code",
            "zh": "地区编码"
          },
          "kind": "text"
        },
        {
          "name": "username",
          "label": {
            "en": "User name",
            "zh": "用户名"
          },
          "kind": "text"
        },
        {
          "name": "postalCode",
          "label": {
            "en": "Postal code",
            "zh": "邮政编码"
          },
          "kind": "text"
        },
        {
          "name": "tel",
          "label": {
            "en": "Mobile number",
            "zh": "手机号码"
          },
          "kind": "text"
        },
        {
          "name": "isDefault",
          "label": {
            "en": "Default",
            "zh": "默认标记"
          },
          "kind": "boolean"
        },
        {
          "name": "addTime",
          "label": {
            "en": "Creation time",
            "zh": "创建时间"
          },
          "kind": "time"
        },
        {
          "name": "updateTime",
          "label": {
            "en": "Update time",
            "zh": "更新时间"
          },
          "kind": "time"
        },
        {
          "name": "deleted",
          "label": {
            "en": "Deletion",
            "zh": "删除标记"
          },
          "kind": "boolean"
        }
      ],
      "sorts": [
        "add_time",
        "id"
      ],
      "paged": true,
      "byId": true
    },
    "acts": []
  },
  "admin": {
    "id": "admin",
    "page": "sys/admin",
    "list": {
      "path": "/admin/admin/list",
      "method": "GET",
      "permission": "admin:admin:list",
      "button": {
        "en": "Query",
        "zh": "查询"
      },
      "fields": [
        {
          "name": "username",
          "label": {
            "en": "User name",
            "zh": "用户名"
          },
          "kind": "text"
        }
      ],
      "columns": [
        {
          "name": "avatar",
          "label": {
            "en": "Avatar",
            "zh": "头像"
          },
          "kind": "text",
          "show": {
            "as": "picture"
          }
        },
        {
          "name": "username",
          "label": {
            "en": "User name",
            "zh": "用户名"
          },
          "kind": "text",
          "opens": true
        },
        {
          "name": "roleIds",
          "label": {
            "en": "Roles",
            "zh": "角色"
          },
          "kind": "list",
          "show": {
            "as": "of",
            "of": "role"
          }
        },
        {
          "name": "lastLoginTime",
          "label": {
            "en": "Last login",
            "zh": "最近登录时间"
          },
          "kind": "time"
        },
        {
          "name": "lastLoginIp",
          "label": {
            "en": "Address of the last login",
            "zh": "最近登录 IP"
          },
          "kind": "text"
        },
        {
          "name": "addTime",
          "label": {
            "en": "Creation time",
            "zh": "创建时间"
          },
          "kind": "time",
          "sort": "add_time"
        }
      ],
      "row": [
        {
          "name": "id",
          "label": {
            "en": "Id",
            "zh": "编号"
          },
          "kind": "integer"
        },
        {
          "name": "username",
          "label": {
            "en": "User name",
            "zh": "用户名"
          },
          "kind": "text"
        },
        {
          "name": "avatar",
          "label": {
            "en": "Avatar",
            "zh": "头像"
          },
          "kind": "text",
          "show": {
            "as": "picture"
          }
        },
        {
          "name": "roleIds",
          "label": {
            "en": "Roles",
            "zh": "角色"
          },
          "kind": "list",
          "show": {
            "as": "of",
            "of": "role"
          }
        },
        {
          "name": "lastLoginIp",
          "label": {
            "en": "Address of the last login",
            "zh": "最近登录 IP"
          },
          "kind": "text"
        },
        {
          "name": "lastLoginTime",
          "label": {
            "en": "Last login",
            "zh": "最近登录时间"
          },
          "kind": "time"
        },
        {
          "name": "addTime",
          "label": {
            "en": "Creation time",
            "zh": "创建时间"
          },
          "kind": "time"
        },
        {
          "name": "updateTime",
          "label": {
            "en": "Update time",
            "zh": "更新时间"
          },
          "kind": "time"
        },
        {
          "name": "deleted",
          "label": {
            "en": "Deletion",
            "zh": "删除标记"
          },
          "kind": "boolean"
        }
      ],
      "sorts": [
        "add_time",
        "id"
      ],
      "paged": true
    },
    "create": {
      "path": "/admin/admin/create",
      "method": "POST",
      "permission": "admin:admin:create",
      "button": {
        "en": "Add",
        "zh": "添加"
      },
      "fields": [
        {
          "name": "username",
          "label": {
            "en": "User name",
            "zh": "用户名"
          },
          "kind": "text",
          "required": true
        },
        {
          "name": "password",
          "label": {
            "en": "Password",
            "zh": "密码"
          },
          "kind": "text",
          "show": {
            "as": "secret"
          }
        },
        {
          "name": "avatar",
          "label": {
            "en": "Avatar",
            "zh": "头像"
          },
          "kind": "text",
          "max": 255,
          "show": {
            "as": "picture"
          }
        },
        {
          "name": "roleIds",
          "label": {
            "en": "Roles",
            "zh": "角色"
          },
          "kind": "list",
          "item": {
            "name": "roleIds",
            "label": {
              "en": "Roles",
              "zh": "角色"
            },
            "kind": "id"
          },
          "max": 1000,
          "show": {
            "as": "of",
            "of": "role"
          }
        }
      ]
    },
    "read": {
      "path": "/admin/admin/read",
      "method": "GET",
      "permission": "admin:admin:read",
      "button": {
        "en": "Detail",
        "zh": "详情"
      },
      "fields": [
        {
          "name": "id",
          "label": {
            "en": "Id",
            "zh": "编号"
          },
          "kind": "id",
          "required": true
        }
      ]
    },
    "update": {
      "path": "/admin/admin/update",
      "method": "POST",
      "permission": "admin:admin:update",
      "button": {
        "en": "Edit",
        "zh": "编辑"
      },
      "fields": [
        {
          "name": "id",
          "label": {
            "en": "Id",
            "zh": "编号"
          },
          "kind": "id",
          "required": true
        },
        {
          "name": "expectedUpdateTime",
          "label": {
            "en": "Update time",
            "zh": "更新时间"
          },
          "kind": "text",
          "show": {
            "as": "time"
          }
        },
        {
          "name": "username",
          "label": {
            "en": "User name",
            "zh": "用户名"
          },
          "kind": "text",
          "notBlank": true
        },
        {
          "name": "avatar",
          "label": {
            "en": "Avatar",
            "zh": "头像"
          },
          "kind": "text",
          "max": 255,
          "show": {
            "as": "picture"
          }
        },
        {
          "name": "roleIds",
          "label": {
            "en": "Roles",
            "zh": "角色"
          },
          "kind": "list",
          "item": {
            "name": "roleIds",
            "label": {
              "en": "Roles",
              "zh": "角色"
            },
            "kind": "id"
          },
          "max": 1000,
          "show": {
            "as": "of",
            "of": "role"
          }
        }
      ]
    },
    "delete": {
      "path": "/admin/admin/delete",
      "method": "POST",
      "permission": "admin:admin:delete",
      "button": {
        "en": "Delete",
        "zh": "删除"
      },
      "fields": [
        {
          "name": "id",
          "label": {
            "en": "Id",
            "zh": "编号"
          },
          "kind": "id",
          "required": true
        }
      ]
    },
    "acts": []
  },
  "aftersale": {
    "id": "aftersale",
    "page": "mall/aftersale",
    "list": {
      "path": "/admin/aftersale/list",
      "method": "GET",
      "permission": "admin:aftersale:list",
      "button": {
        "en": "Query",
        "zh": "查询"
      },
      "fields": [
        {
          "name": "orderId",
          "label": {
            "en": "Order",
            "zh": "订单"
          },
          "kind": "id",
          "show": {
            "as": "of",
            "of": "order"
          }
        },
        {
          "name": "aftersaleSn",
          "label": {
            "en": "After-sale number",
            "zh": "售后编号"
          },
          "kind": "text"
        },
        {
          "name": "status",
          "label": {
            "en": "Status",
            "zh": "状态"
          },
          "kind": "integer",
          "show": {
            "as": "one",
            "one": [
              {
                "value": 0,
                "label": {
                  "en": "none",
                  "zh": "未申请"
                }
              },
              {
                "value": 1,
                "label": {
                  "en": "requested",
                  "zh": "待审核"
                }
              },
              {
                "value": 2,
                "label": {
                  "en": "accepted",
                  "zh": "审核通过"
                }
              },
              {
                "value": 3,
                "label": {
                  "en": "refunded",
                  "zh": "已退款"
                }
              },
              {
                "value": 4,
                "label": {
                  "en": "rejected",
                  "zh": "审核不通过"
                }
              },
              {
                "value": 5,
                "label": {
                  "en": "withdrawn",
                  "zh": "已取消"
                }
              }
            ]
          }
        }
      ],
      "columns": [
        {
          "name": "aftersaleSn",
          "label": {
            "en": "After-sale number",
            "zh": "售后编号"
          },
          "kind": "text",
          "opens": true
        },
        {
          "name": "orderId",
          "label": {
            "en": "Order",
            "zh": "订单"
          },
          "kind": "integer",
          "show": {
            "as": "of",
            "of": "order"
          }
        },
        {
          "name": "type",
          "label": {
            "en": "Type",
            "zh": "类型"
          },
          "kind": "integer",
          "show": {
            "as": "one",
            "one": [
              {
                "value": 0,
                "label": {
                  "en": "refund, not received",
                  "zh": "未收货退款"
                }
              },
              {
                "value": 1,
                "label": {
                  "en": "refund, goods kept",
                  "zh": "无需退货退款"
                }
              },
              {
                "value": 2,
                "label": {
                  "en": "return and refund",
                  "zh": "退货退款"
                }
              }
            ]
          }
        },
        {
          "name": "amount",
          "label": {
            "en": "Refund amount",
            "zh": "退款金额"
          },
          "kind": "money"
        },
        {
          "name": "reason",
          "label": {
            "en": "Reason",
            "zh": "原因"
          },
          "kind": "text",
          "show": {
            "as": "long"
          }
        },
        {
          "name": "pictures",
          "label": {
            "en": "Pictures",
            "zh": "图片"
          },
          "kind": "list",
          "show": {
            "as": "picture"
          }
        },
        {
          "name": "status",
          "label": {
            "en": "Status",
            "zh": "状态"
          },
          "kind": "integer",
          "show": {
            "as": "one",
            "one": [
              {
                "value": 0,
                "label": {
                  "en": "none",
                  "zh": "未申请"
                }
              },
              {
                "value": 1,
                "label": {
                  "en": "requested",
                  "zh": "待审核"
                }
              },
              {
                "value": 2,
                "label": {
                  "en": "accepted",
                  "zh": "审核通过"
                }
              },
              {
                "value": 3,
                "label": {
                  "en": "refunded",
                  "zh": "已退款"
                }
              },
              {
                "value": 4,
                "label": {
                  "en": "rejected",
                  "zh": "审核不通过"
                }
              },
              {
                "value": 5,
                "label": {
                  "en": "withdrawn",
                  "zh": "已取消"
                }
              }
            ]
          }
        },
        {
          "name": "addTime",
          "label": {
            "en": "Creation time",
            "zh": "创建时间"
          },
          "kind": "time",
          "sort": "add_time"
        }
      ],
      "row": [
        {
          "name": "id",
          "label": {
            "en": "Id",
            "zh": "编号"
          },
          "kind": "integer"
        },
        {
          "name": "aftersaleSn",
          "label": {
            "en": "After-sale number",
            "zh": "售后编号"
          },
          "kind": "text"
        },
        {
          "name": "orderId",
          "label": {
            "en": "Order",
            "zh": "订单"
          },
          "kind": "integer",
          "show": {
            "as": "of",
            "of": "order"
          }
        },
        {
          "name": "userId",
          "label": {
            "en": "User",
            "zh": "用户"
          },
          "kind": "integer",
          "show": {
            "as": "of",
            "of": "user"
          }
        },
        {
          "name": "type",
          "label": {
            "en": "Type",
            "zh": "类型"
          },
          "kind": "integer",
          "show": {
            "as": "one",
            "one": [
              {
                "value": 0,
                "label": {
                  "en": "refund, not received",
                  "zh": "未收货退款"
                }
              },
              {
                "value": 1,
                "label": {
                  "en": "refund, goods kept",
                  "zh": "无需退货退款"
                }
              },
              {
                "value": 2,
                "label": {
                  "en": "return and refund",
                  "zh": "退货退款"
                }
              }
            ]
          }
        },
        {
          "name": "reason",
          "label": {
            "en": "Reason",
            "zh": "原因"
          },
          "kind": "text",
          "show": {
            "as": "long"
          }
        },
        {
          "name": "amount",
          "label": {
            "en": "Refund amount",
            "zh": "退款金额"
          },
          "kind": "money"
        },
        {
          "name": "pictures",
          "label": {
            "en": "Pictures",
            "zh": "图片"
          },
          "kind": "list",
          "show": {
            "as": "picture"
          }
        },
        {
          "name": "comment",
          "label": {
            "en": "Remark",
            "zh": "说明"
          },
          "kind": "text",
          "show": {
            "as": "long"
          }
        },
        {
          "name": "status",
          "label": {
            "en": "Status",
            "zh": "状态"
          },
          "kind": "integer",
          "show": {
            "as": "one",
            "one": [
              {
                "value": 0,
                "label": {
                  "en": "none",
                  "zh": "未申请"
                }
              },
              {
                "value": 1,
                "label": {
                  "en": "requested",
                  "zh": "待审核"
                }
              },
              {
                "value": 2,
                "label": {
                  "en": "accepted",
                  "zh": "审核通过"
                }
              },
              {
                "value": 3,
                "label": {
                  "en": "refunded",
                  "zh": "已退款"
                }
              },
              {
                "value": 4,
                "label": {
                  "en": "rejected",
                  "zh": "审核不通过"
                }
              },
              {
                "value": 5,
                "label": {
                  "en": "withdrawn",
                  "zh": "已取消"
                }
              }
            ]
          }
        },
        {
          "name": "handleTime",
          "label": {
            "en": "Time of the decision",
            "zh": "处理时间"
          },
          "kind": "time"
        },
        {
          "name": "addTime",
          "label": {
            "en": "Creation time",
            "zh": "创建时间"
          },
          "kind": "time"
        },
        {
          "name": "updateTime",
          "label": {
            "en": "Update time",
            "zh": "更新时间"
          },
          "kind": "time"
        },
        {
          "name": "deleted",
          "label": {
            "en": "Deletion",
            "zh": "删除标记"
          },
          "kind": "boolean"
        }
      ],
      "sorts": [
        "add_time",
        "id"
      ],
      "paged": true
    },
    "acts": [
      {
        "path": "/admin/aftersale/recept",
        "method": "POST",
        "permission": "admin:aftersale:recept",
        "button": {
          "en": "Approve",
          "zh": "审核通过"
        },
        "fields": [
          {
            "name": "id",
            "label": {
              "en": "Id",
              "zh": "编号"
            },
            "kind": "id",
            "required": true
          }
        ]
      },
      {
        "path": "/admin/aftersale/batch-recept",
        "method": "POST",
        "permission": "admin:aftersale:batch-recept",
        "button": {
          "en": "Approve many",
          "zh": "批量通过"
        },
        "fields": [
          {
            "name": "ids",
            "label": {
              "en": "Ids",
              "zh": "编号列表"
            },
            "kind": "list",
            "item": {
              "name": "ids",
              "label": {
                "en": "Ids",
                "zh": "编号列表"
              },
              "kind": "id"
            },
            "required": true,
            "max": 1000
          }
        ]
      },
      {
        "path": "/admin/aftersale/reject",
        "method": "POST",
        "permission": "admin:aftersale:reject",
        "button": {
          "en": "Reject",
          "zh": "审核拒绝"
        },
        "fields": [
          {
            "name": "id",
            "label": {
              "en": "Id",
              "zh": "编号"
            },
            "kind": "id",
            "required": true
          }
        ]
      },
      {
        "path": "/admin/aftersale/batch-reject",
        "method": "POST",
        "permission": "admin:aftersale:batch-reject",
        "button": {
          "en": "Reject many",
          "zh": "批量拒绝"
        },
        "fields": [
          {
            "name": "ids",
            "label": {
              "en": "Ids",
              "zh": "编号列表"
            },
            "kind": "list",
            "item": {
              "name": "ids",
              "label": {
                "en": "Ids",
                "zh": "编号列表"
              },
              "kind": "id"
            },
            "required": true,
            "max": 1000
          }
        ]
      },
      {
        "path": "/admin/aftersale/refund",
        "method": "POST",
        "permission": "admin:aftersale:refund",
        "button": {
          "en": "Refund",
          "zh": "退款"
        },
        "fields": [
          {
            "name": "id",
            "label": {
              "en": "Id",
              "zh": "编号"
            },
            "kind": "id",
            "required": true
          }
        ]
      }
    ]
  },
  "brand": {
    "id": "brand",
    "page": "mall/brand",
    "list": {
      "path": "/admin/brand/list",
      "method": "GET",
      "permission": "admin:brand:list",
      "button": {
        "en": "Query",
        "zh": "查询"
      },
      "fields": [
        {
          "name": "id",
          "label": {
            "en": "Id",
            "zh": "编号"
          },
          "kind": "id"
        },
        {
          "name": "name",
          "label": {
            "en": "Name",
            "zh": "名称"
          },
          "kind": "text"
        }
      ],
      "columns": [
        {
          "name": "picUrl",
          "label": {
            "en": "Picture",
            "zh": "图片"
          },
          "kind": "text",
          "show": {
            "as": "picture"
          }
        },
        {
          "name": "name",
          "label": {
            "en": "Name",
            "zh": "名称"
          },
          "kind": "text",
          "opens": true
        },
        {
          "name": "desc",
          "label": {
            "en": "Description",
            "zh": "描述"
          },
          "kind": "text",
          "show": {
            "as": "long"
          }
        },
        {
          "name": "floorPrice",
          "label": {
            "en": "Floor price",
            "zh": "起价"
          },
          "kind": "money"
        },
        {
          "name": "sortOrder",
          "label": {
            "en": "Sort order",
            "zh": "排序"
          },
          "kind": "integer"
        },
        {
          "name": "addTime",
          "label": {
            "en": "Creation time",
            "zh": "创建时间"
          },
          "kind": "time",
          "sort": "add_time"
        }
      ],
      "row": [
        {
          "name": "id",
          "label": {
            "en": "Id",
            "zh": "编号"
          },
          "kind": "integer"
        },
        {
          "name": "name",
          "label": {
            "en": "Name",
            "zh": "名称"
          },
          "kind": "text"
        },
        {
          "name": "desc",
          "label": {
            "en": "Description",
            "zh": "描述"
          },
          "kind": "text",
          "show": {
            "as": "long"
          }
        },
        {
          "name": "picUrl",
          "label": {
            "en": "Picture",
            "zh": "图片"
          },
          "kind": "text",
          "show": {
            "as": "picture"
          }
        },
        {
          "name": "sortOrder",
          "label": {
            "en": "Sort order",
            "zh": "排序"
          },
          "kind": "integer"
        },
        {
          "name": "floorPrice",
          "label": {
            "en": "Floor price",
            "zh": "起价"
          },
          "kind": "money"
        },
        {
          "name": "addTime",
          "label": {
            "en": "Creation time",
            "zh": "创建时间"
          },
          "kind": "time"
        },
        {
          "name": "updateTime",
          "label": {
            "en": "Update time",
            "zh": "更新时间"
          },
          "kind": "time"
        },
        {
          "name": "deleted",
          "label": {
            "en": "Deletion",
            "zh": "删除标记"
          },
          "kind": "boolean"
        }
      ],
      "sorts": [
        "add_time",
        "id"
      ],
      "paged": true,
      "byId": true
    },
    "create": {
      "path": "/admin/brand/create",
      "method": "POST",
      "permission": "admin:brand:create",
      "button": {
        "en": "Add",
        "zh": "添加"
      },
      "fields": [
        {
          "name": "name",
          "label": {
            "en": "Name",
            "zh": "名称"
          },
          "kind": "text",
          "required": true,
          "max": 255
        },
        {
          "name": "desc",
          "label": {
            "en": "Description",
            "zh": "描述"
          },
          "kind": "text",
          "required": true,
          "max": 255,
          "show": {
            "as": "long"
          }
        },
        {
          "name": "picUrl",
          "label": {
            "en": "Picture",
            "zh": "图片"
          },
          "kind": "text",
          "max": 255,
          "show": {
            "as": "picture"
          }
        },
        {
          "name": "sortOrder",
          "label": {
            "en": "Sort order",
            "zh": "排序"
          },
          "kind": "integer",
          "min": -999999,
          "max": 999999,
          "default": "50"
        },
        {
          "name": "floorPrice",
          "label": {
            "en": "Floor price",
            "zh": "起价"
          },
          "kind": "decimal",
          "required": true,
          "min": 0.00,
          "max": 9999999.99
        }
      ]
    },
    "read": {
      "path": "/admin/brand/read",
      "method": "GET",
      "permission": "admin:brand:read",
      "button": {
        "en": "Detail",
        "zh": "详情"
      },
      "fields": [
        {
          "name": "id",
          "label": {
            "en": "Id",
            "zh": "编号"
          },
          "kind": "id",
          "required": true
        }
      ]
    },
    "update": {
      "path": "/admin/brand/update",
      "method": "POST",
      "permission": "admin:brand:update",
      "button": {
        "en": "Edit",
        "zh": "编辑"
      },
      "fields": [
        {
          "name": "id",
          "label": {
            "en": "Id",
            "zh": "编号"
          },
          "kind": "id",
          "required": true
        },
        {
          "name": "expectedUpdateTime",
          "label": {
            "en": "Update time",
            "zh": "更新时间"
          },
          "kind": "text",
          "show": {
            "as": "time"
          }
        },
        {
          "name": "name",
          "label": {
            "en": "Name",
            "zh": "名称"
          },
          "kind": "text",
          "notBlank": true,
          "max": 255
        },
        {
          "name": "desc",
          "label": {
            "en": "Description",
            "zh": "描述"
          },
          "kind": "text",
          "notBlank": true,
          "max": 255,
          "show": {
            "as": "long"
          }
        },
        {
          "name": "picUrl",
          "label": {
            "en": "Picture",
            "zh": "图片"
          },
          "kind": "text",
          "max": 255,
          "show": {
            "as": "picture"
          }
        },
        {
          "name": "sortOrder",
          "label": {
            "en": "Sort order",
            "zh": "排序"
          },
          "kind": "integer",
          "min": -999999,
          "max": 999999
        },
        {
          "name": "floorPrice",
          "label": {
            "en": "Floor price",
            "zh": "起价"
          },
          "kind": "decimal",
          "min": 0.00,
          "max": 9999999.99
        }
      ]
    },
    "delete": {
      "path": "/admin/brand/delete",
      "method": "POST",
      "permission": "admin:brand:delete",
      "button": {
        "en": "Delete",
        "zh": "删除"
      },
      "fields": [
        {
          "name": "id",
          "label": {
            "en": "Id",
            "zh": "编号"
          },
          "kind": "id",
          "required": true
        }
      ]
    },
    "acts": []
  },
  "category": {
    "id": "category",
    "page": "mall/category",
    "list": {
      "path": "/admin/category/list",
      "method": "GET",
      "permission": "admin:category:list",
      "button": {
        "en": "Query",
        "zh": "查询"
      },
      "fields": [
        {
          "name": "page",
          "label": {
            "en": "Page",
            "zh": "页码"
          },
          "kind": "integer",
          "min": 1
        },
        {
          "name": "limit",
          "label": {
            "en": "Page size",
            "zh": "每页行数"
          },
          "kind": "integer",
          "min": 0,
          "max": 10000
        }
      ],
      "columns": [
        {
          "name": "iconUrl",
          "label": {
            "en": "Icon",
            "zh": "图标"
          },
          "kind": "text",
          "show": {
            "as": "picture"
          }
        },
        {
          "name": "name",
          "label": {
            "en": "Name",
            "zh": "名称"
          },
          "kind": "text",
          "opens": true
        },
        {
          "name": "level",
          "label": {
            "en": "Level",
            "zh": "级别"
          },
          "kind": "text",
          "show": {
            "as": "one",
            "one": [
              {
                "value": "L1",
                "label": {
                  "en": "first level",
                  "zh": "一级类目"
                }
              },
              {
                "value": "L2",
                "label": {
                  "en": "second level",
                  "zh": "二级类目"
                }
              }
            ]
          }
        },
        {
          "name": "keywords",
          "label": {
            "en": "Keywords",
            "zh": "关键字"
          },
          "kind": "text"
        }
      ],
      "row": [
        {
          "name": "id",
          "label": {
            "en": "Id",
            "zh": "编号"
          },
          "kind": "integer"
        },
        {
          "name": "name",
          "label": {
            "en": "Name",
            "zh": "名称"
          },
          "kind": "text"
        },
        {
          "name": "keywords",
          "label": {
            "en": "Keywords",
            "zh": "关键字"
          },
          "kind": "text"
        },
        {
          "name": "desc",
          "label": {
            "en": "Description",
            "zh": "描述"
          },
          "kind": "text",
          "show": {
            "as": "long"
          }
        },
        {
          "name": "iconUrl",
          "label": {
            "en": "Icon",
            "zh": "图标"
          },
          "kind": "text",
          "show": {
            "as": "picture"
          }
        },
        {
          "name": "picUrl",
          "label": {
            "en": "Picture",
            "zh": "图片"
          },
          "kind": "text",
          "show": {
            "as": "picture"
          }
        },
        {
          "name": "level",
          "label": {
            "en": "Level",
            "zh": "级别"
          },
          "kind": "text",
          "show": {
            "as": "one",
            "one": [
              {
                "value": "L1",
                "label": {
                  "en": "first level",
                  "zh": "一级类目"
                }
              },
              {
                "value": "L2",
                "label": {
                  "en": "second level",
                  "zh": "二级类目"
                }
              }
            ]
          }
        },
        {
          "name": "pid",
          "label": {
            "en": "Parent",
            "zh": "上级"
          },
          "kind": "integer",
          "show": {
            "as": "of",
            "of": "category"
          }
        }
      ],
      "sorts": [],
      "paged": false,
      "tree": true
    },
    "create": {
      "path": "/admin/category/create",
      "method": "POST",
      "permission": "admin:category:create",
      "button": {
        "en": "Add",
        "zh": "添加"
      },
      "fields": [
        {
          "name": "name",
          "label": {
            "en": "Name",
            "zh": "名称"
          },
          "kind": "text",
          "required": true,
          "max": 63
        },
        {
          "name": "keywords",
          "label": {
            "en": "Keywords",
            "zh": "关键字"
          },
          "kind": "text",
          "max": 1023
        },
        {
          "name": "desc",
          "label": {
            "en": "Description",
            "zh": "描述"
          },
          "kind": "text",
          "max": 255,
          "show": {
            "as": "long"
          }
        },
        {
          "name": "pid",
          "label": {
            "en": "Parent",
            "zh": "上级"
          },
          "kind": "id",
          "show": {
            "as": "of",
            "of": "category"
          }
        },
        {
          "name": "iconUrl",
          "label": {
            "en": "Icon",
            "zh": "图标"
          },
          "kind": "text",
          "max": 255,
          "show": {
            "as": "picture"
          }
        },
        {
          "name": "picUrl",
          "label": {
            "en": "Picture",
            "zh": "图片"
          },
          "kind": "text",
          "max": 255,
          "show": {
            "as": "picture"
          }
        },
        {
          "name": "level",
          "label": {
            "en": "Level",
            "zh": "级别"
          },
          "kind": "text",
          "required": true,
          "enum": [
            "L1",
            "L2"
          ],
          "show": {
            "as": "one",
            "one": [
              {
                "value": "L1",
                "label": {
                  "en": "first level",
                  "zh": "一级类目"
                }
              },
              {
                "value": "L2",
                "label": {
                  "en": "second level",
                  "zh": "二级类目"
                }
              }
            ]
          }
        },
        {
          "name": "sortOrder",
          "label": {
            "en": "Sort order",
            "zh": "排序"
          },
          "kind": "integer",
          "min": -999999,
          "max": 999999,
          "default": "50"
        }
      ]
    },
    "read": {
      "path": "/admin/category/read",
      "method": "GET",
      "permission": "admin:category:read",
      "button": {
        "en": "Detail",
        "zh": "详情"
      },
      "fields": [
        {
          "name": "id",
          "label": {
            "en": "Id",
            "zh": "编号"
          },
          "kind": "id",
          "required": true
        }
      ]
    },
    "update": {
      "path": "/admin/category/update",
      "method": "POST",
      "permission": "admin:category:update",
      "button": {
        "en": "Edit",
        "zh": "编辑"
      },
      "fields": [
        {
          "name": "id",
          "label": {
            "en": "Id",
            "zh": "编号"
          },
          "kind": "id",
          "required": true
        },
        {
          "name": "expectedUpdateTime",
          "label": {
            "en": "Update time",
            "zh": "更新时间"
          },
          "kind": "text",
          "show": {
            "as": "time"
          }
        },
        {
          "name": "name",
          "label": {
            "en": "Name",
            "zh": "名称"
          },
          "kind": "text",
          "notBlank": true,
          "max": 63
        },
        {
          "name": "keywords",
          "label": {
            "en": "Keywords",
            "zh": "关键字"
          },
          "kind": "text",
          "max": 1023
        },
        {
          "name": "desc",
          "label": {
            "en": "Description",
            "zh": "描述"
          },
          "kind": "text",
          "max": 255,
          "show": {
            "as": "long"
          }
        },
        {
          "name": "pid",
          "label": {
            "en": "Parent",
            "zh": "上级"
          },
          "kind": "id",
          "show": {
            "as": "of",
            "of": "category"
          }
        },
        {
          "name": "iconUrl",
          "label": {
            "en": "Icon",
            "zh": "图标"
          },
          "kind": "text",
          "max": 255,
          "show": {
            "as": "picture"
          }
        },
        {
          "name": "picUrl",
          "label": {
            "en": "Picture",
            "zh": "图片"
          },
          "kind": "text",
          "max": 255,
          "show": {
            "as": "picture"
          }
        },
        {
          "name": "level",
          "label": {
            "en": "Level",
            "zh": "级别"
          },
          "kind": "text",
          "notBlank": true,
          "enum": [
            "L1",
            "L2"
          ],
          "show": {
            "as": "one",
            "one": [
              {
                "value": "L1",
                "label": {
                  "en": "first level",
                  "zh": "一级类目"
                }
              },
              {
                "value": "L2",
                "label": {
                  "en": "second level",
                  "zh": "二级类目"
                }
              }
            ]
          }
        },
        {
          "name": "sortOrder",
          "label": {
            "en": "Sort order",
            "zh": "排序"
          },
          "kind": "integer",
          "min": -999999,
          "max": 999999
        }
      ]
    },
    "delete": {
      "path": "/admin/category/delete",
      "method": "POST",
      "permission": "admin:category:delete",
      "button": {
        "en": "Delete",
        "zh": "删除"
      },
      "fields": [
        {
          "name": "id",
          "label": {
            "en": "Id",
            "zh": "编号"
          },
          "kind": "id",
          "required": true
        }
      ]
    },
    "acts": []
  },
  "collect": {
    "id": "collect",
    "page": "user/collect",
    "list": {
      "path": "/admin/collect/list",
      "method": "GET",
      "permission": "admin:collect:list",
      "button": {
        "en": "Query",
        "zh": "查询"
      },
      "fields": [
        {
          "name": "userId",
          "label": {
            "en": "User",
            "zh": "用户"
          },
          "kind": "id",
          "show": {
            "as": "of",
            "of": "user"
          }
        },
        {
          "name": "valueId",
          "label": {
            "en": "Goods or topic",
            "zh": "商品或专题"
          },
          "kind": "id"
        }
      ],
      "columns": [
        {
          "name": "username",
          "label": {
            "en": "User name",
            "zh": "用户名"
          },
          "kind": "text"
        },
        {
          "name": "type",
          "label": {
            "en": "Type",
            "zh": "类型"
          },
          "kind": "integer",
          "show": {
            "as": "one",
            "one": [
              {
                "value": 0,
                "label": {
                  "en": "goods",
                  "zh": "商品"
                }
              },
              {
                "value": 1,
                "label": {
                  "en": "topic",
                  "zh": "专题"
                }
              }
            ]
          }
        },
        {
          "name": "goodsName",
          "label": {
            "en": "Name of the goods",
            "zh": "商品名称"
          },
          "kind": "text"
        },
        {
          "name": "valueId",
          "label": {
            "en": "Goods or topic",
            "zh": "商品或专题"
          },
          "kind": "integer"
        },
        {
          "name": "addTime",
          "label": {
            "en": "Creation time",
            "zh": "创建时间"
          },
          "kind": "time",
          "sort": "add_time"
        }
      ],
      "row": [
        {
          "name": "id",
          "label": {
            "en": "Id",
            "zh": "编号"
          },
          "kind": "integer"
        },
        {
          "name": "userId",
          "label": {
            "en": "User",
            "zh": "用户"
          },
          "kind": "integer",
          "show": {
            "as": "of",
            "of": "user"
          }
        },
        {
          "name": "username",
          "label": {
            "en": "User name",
            "zh": "用户名"
          },
          "kind": "text"
        },
        {
          "name": "valueId",
          "label": {
            "en": "Goods or topic",
            "zh": "商品或专题"
          },
          "kind": "integer"
        },
        {
          "name": "goodsName",
          "label": {
            "en": "Name of the goods",
            "zh": "商品名称"
          },
          "kind": "text"
        },
        {
          "name": "type",
          "label": {
            "en": "Type",
            "zh": "类型"
          },
          "kind": "integer",
          "show": {
            "as": "one",
            "one": [
              {
                "value": 0,
                "label": {
                  "en": "goods",
                  "zh": "商品"
                }
              },
              {
                "value": 1,
                "label": {
                  "en": "topic",
                  "zh": "专题"
                }
              }
            ]
          }
        },
        {
          "name": "addTime",
          "label": {
            "en": "Creation time",
            "zh": "创建时间"
          },
          "kind": "time"
        },
        {
          "name": "updateTime",
          "label": {
            "en": "Update time",
            "zh": "更新时间"
          },
          "kind": "time"
        },
        {
          "name": "deleted",
          "label": {
            "en": "Deletion",
            "zh": "删除标记"
          },
          "kind": "boolean"
        }
      ],
      "sorts": [
        "add_time",
        "id"
      ],
      "paged": true,
      "byId": true
    },
    "acts": []
  },
  "comment": {
    "id": "comment",
    "page": "goods/comment",
    "list": {
      "path": "/admin/comment/list",
      "method": "GET",
      "permission": "admin:comment:list",
      "button": {
        "en": "Query",
        "zh": "查询"
      },
      "fields": [
        {
          "name": "userId",
          "label": {
            "en": "User",
            "zh": "用户"
          },
          "kind": "id",
          "show": {
            "as": "of",
            "of": "user"
          }
        },
        {
          "name": "valueId",
          "label": {
            "en": "Goods or topic",
            "zh": "商品或专题"
          },
          "kind": "id"
        }
      ],
      "columns": [
        {
          "name": "content",
          "label": {
            "en": "Content",
            "zh": "内容"
          },
          "kind": "text",
          "show": {
            "as": "long"
          },
          "opens": true
        },
        {
          "name": "picUrls",
          "label": {
            "en": "Pictures",
            "zh": "图片"
          },
          "kind": "list",
          "show": {
            "as": "picture"
          }
        },
        {
          "name": "star",
          "label": {
            "en": "Rating",
            "zh": "评分"
          },
          "kind": "integer"
        },
        {
          "name": "goodsName",
          "label": {
            "en": "Name of the goods",
            "zh": "商品名称"
          },
          "kind": "text"
        },
        {
          "name": "username",
          "label": {
            "en": "User name",
            "zh": "用户名"
          },
          "kind": "text"
        },
        {
          "name": "adminContent",
          "label": {
            "en": "Reply",
            "zh": "回复"
          },
          "kind": "text",
          "show": {
            "as": "long"
          }
        },
        {
          "name": "addTime",
          "label": {
            "en": "Creation time",
            "zh": "创建时间"
          },
          "kind": "time",
          "sort": "add_time"
        }
      ],
      "row": [
        {
          "name": "id",
          "label": {
            "en": "Id",
            "zh": "编号"
          },
          "kind": "integer"
        },
        {
          "name": "valueId",
          "label": {
            "en": "Goods or topic",
            "zh": "商品或专题"
          },
          "kind": "integer"
        },
        {
          "name": "goodsName",
          "label": {
            "en": "Name of the goods",
            "zh": "商品名称"
          },
          "kind": "text"
        },
        {
          "name": "type",
          "label": {
            "en": "Type",
            "zh": "类型"
          },
          "kind": "integer",
          "show": {
            "as": "one",
            "one": [
              {
                "value": 0,
                "label": {
                  "en": "goods",
                  "zh": "商品"
                }
              },
              {
                "value": 1,
                "label": {
                  "en": "topic",
                  "zh": "专题"
                }
              }
            ]
          }
        },
        {
          "name": "content",
          "label": {
            "en": "Content",
            "zh": "内容"
          },
          "kind": "text",
          "show": {
            "as": "long"
          }
        },
        {
          "name": "adminContent",
          "label": {
            "en": "Reply",
            "zh": "回复"
          },
          "kind": "text",
          "show": {
            "as": "long"
          }
        },
        {
          "name": "userId",
          "label": {
            "en": "User",
            "zh": "用户"
          },
          "kind": "integer",
          "show": {
            "as": "of",
            "of": "user"
          }
        },
        {
          "name": "username",
          "label": {
            "en": "User name",
            "zh": "用户名"
          },
          "kind": "text"
        },
        {
          "name": "hasPicture",
          "label": {
            "en": "Picture filter",
            "zh": "是否有图"
          },
          "kind": "boolean"
        },
        {
          "name": "picUrls",
          "label": {
            "en": "Pictures",
            "zh": "图片"
          },
          "kind": "list",
          "show": {
            "as": "picture"
          }
        },
        {
          "name": "star",
          "label": {
            "en": "Rating",
            "zh": "评分"
          },
          "kind": "integer"
        },
        {
          "name": "addTime",
          "label": {
            "en": "Creation time",
            "zh": "创建时间"
          },
          "kind": "time"
        },
        {
          "name": "updateTime",
          "label": {
            "en": "Update time",
            "zh": "更新时间"
          },
          "kind": "time"
        },
        {
          "name": "deleted",
          "label": {
            "en": "Deletion",
            "zh": "删除标记"
          },
          "kind": "boolean"
        }
      ],
      "sorts": [
        "add_time",
        "id"
      ],
      "paged": true,
      "byId": true
    },
    "delete": {
      "path": "/admin/comment/delete",
      "method": "POST",
      "permission": "admin:comment:delete",
      "button": {
        "en": "Delete",
        "zh": "删除"
      },
      "fields": [
        {
          "name": "id",
          "label": {
            "en": "Id",
            "zh": "编号"
          },
          "kind": "id",
          "required": true
        }
      ]
    },
    "acts": []
  },
  "config": {
    "id": "config",
    "page": "config/mall",
    "acts": [
      {
        "path": "/admin/config/mall",
        "method": "GET",
        "permission": "admin:config:mall-list",
        "button": {
          "en": "Detail",
          "zh": "详情"
        },
        "fields": []
      },
      {
        "path": "/admin/config/mall",
        "method": "POST",
        "permission": "admin:config:mall-update",
        "button": {
          "en": "Edit",
          "zh": "编辑"
        },
        "fields": []
      },
      {
        "path": "/admin/config/express",
        "method": "GET",
        "permission": "admin:config:express-list",
        "button": {
          "en": "Detail",
          "zh": "详情"
        },
        "fields": []
      },
      {
        "path": "/admin/config/express",
        "method": "POST",
        "permission": "admin:config:express-update",
        "button": {
          "en": "Edit",
          "zh": "编辑"
        },
        "fields": []
      },
      {
        "path": "/admin/config/order",
        "method": "GET",
        "permission": "admin:config:order-list",
        "button": {
          "en": "Detail",
          "zh": "详情"
        },
        "fields": []
      },
      {
        "path": "/admin/config/order",
        "method": "POST",
        "permission": "admin:config:order-update",
        "button": {
          "en": "Edit",
          "zh": "编辑"
        },
        "fields": []
      },
      {
        "path": "/admin/config/wx",
        "method": "GET",
        "permission": "admin:config:wx-list",
        "button": {
          "en": "Detail",
          "zh": "详情"
        },
        "fields": []
      },
      {
        "path": "/admin/config/wx",
        "method": "POST",
        "permission": "admin:config:wx-update",
        "button": {
          "en": "Edit",
          "zh": "编辑"
        },
        "fields": []
      }
    ]
  },
  "coupon": {
    "id": "coupon",
    "page": "promotion/coupon",
    "list": {
      "path": "/admin/coupon/list",
      "method": "GET",
      "permission": "admin:coupon:list",
      "button": {
        "en": "Query",
        "zh": "查询"
      },
      "fields": [
        {
          "name": "name",
          "label": {
            "en": "Name",
            "zh": "名称"
          },
          "kind": "text"
        },
        {
          "name": "type",
          "label": {
            "en": "Type",
            "zh": "类型"
          },
          "kind": "integer",
          "show": {
            "as": "one",
            "one": [
              {
                "value": 0,
                "label": {
                  "en": "received by shoppers",
                  "zh": "通用领券"
                }
              },
              {
                "value": 1,
                "label": {
                  "en": "given at registration",
                  "zh": "注册赠券"
                }
              },
              {
                "value": 2,
                "label": {
                  "en": "redeemed by code",
                  "zh": "兑换码"
                }
              }
            ]
          }
        },
        {
          "name": "status",
          "label": {
            "en": "Status",
            "zh": "状态"
          },
          "kind": "integer",
          "show": {
            "as": "one",
            "one": [
              {
                "value": 0,
                "label": {
                  "en": "valid",
                  "zh": "正常"
                }
              },
              {
                "value": 1,
                "label": {
                  "en": "expired",
                  "zh": "已过期"
                }
              },
              {
                "value": 2,
                "label": {
                  "en": "withdrawn",
                  "zh": "已下架"
                }
              }
            ]
          }
        }
      ],
      "columns": [
        {
          "name": "name",
          "label": {
            "en": "Name",
            "zh": "名称"
          },
          "kind": "text",
          "opens": true
        },
        {
          "name": "tag",
          "label": {
            "en": "Tag",
            "zh": "标签"
          },
          "kind": "text"
        },
        {
          "name": "type",
          "label": {
            "en": "Type",
            "zh": "类型"
          },
          "kind": "integer",
          "show": {
            "as": "one",
            "one": [
              {
                "value": 0,
                "label": {
                  "en": "received by shoppers",
                  "zh": "通用领券"
                }
              },
              {
                "value": 1,
                "label": {
                  "en": "given at registration",
                  "zh": "注册赠券"
                }
              },
              {
                "value": 2,
                "label": {
                  "en": "redeemed by code",
                  "zh": "兑换码"
                }
              }
            ]
          }
        },
        {
          "name": "goodsType",
          "label": {
            "en": "Scope",
            "zh": "适用范围"
          },
          "kind": "integer",
          "show": {
            "as": "one",
            "one": [
              {
                "value": 0,
                "label": {
                  "en": "everything",
                  "zh": "全场通用"
                }
              },
              {
                "value": 1,
                "label": {
                  "en": "some categories",
                  "zh": "指定分类"
                }
              },
              {
                "value": 2,
                "label": {
                  "en": "some goods",
                  "zh": "指定商品"
                }
              }
            ]
          }
        },
        {
          "name": "discount",
          "label": {
            "en": "Discount",
            "zh": "优惠金额"
          },
          "kind": "money"
        },
        {
          "name": "min",
          "label": {
            "en": "Minimum purchase",
            "zh": "最低消费"
          },
          "kind": "money"
        },
        {
          "name": "total",
          "label": {
            "en": "Total",
            "zh": "总数量"
          },
          "kind": "integer"
        },
        {
          "name": "status",
          "label": {
            "en": "Status",
            "zh": "状态"
          },
          "kind": "integer",
          "show": {
            "as": "one",
            "one": [
              {
                "value": 0,
                "label": {
                  "en": "valid",
                  "zh": "正常"
                }
              },
              {
                "value": 1,
                "label": {
                  "en": "expired",
                  "zh": "已过期"
                }
              },
              {
                "value": 2,
                "label": {
                  "en": "withdrawn",
                  "zh": "已下架"
                }
              }
            ]
          }
        },
        {
          "name": "addTime",
          "label": {
            "en": "Creation time",
            "zh": "创建时间"
          },
          "kind": "time",
          "sort": "add_time"
        }
      ],
      "row": [
        {
          "name": "id",
          "label": {
            "en": "Id",
            "zh": "编号"
          },
          "kind": "integer"
        },
        {
          "name": "name",
          "label": {
            "en": "Name",
            "zh": "名称"
          },
          "kind": "text"
        },
        {
          "name": "desc",
          "label": {
            "en": "Description",
            "zh": "描述"
          },
          "kind": "text",
          "show": {
            "as": "long"
          }
        },
        {
          "name": "tag",
          "label": {
            "en": "Tag",
            "zh": "标签"
          },
          "kind": "text"
        },
        {
          "name": "total",
          "label": {
            "en": "Total",
            "zh": "总数量"
          },
          "kind": "integer"
        },
        {
          "name": "discount",
          "label": {
            "en": "Discount",
            "zh": "优惠金额"
          },
          "kind": "money"
        },
        {
          "name": "min",
          "label": {
            "en": "Minimum purchase",
            "zh": "最低消费"
          },
          "kind": "money"
        },
        {
          "name": "limit",
          "label": {
            "en": "Limit per shopper",
            "zh": "每人限领数量"
          },
          "kind": "integer"
        },
        {
          "name": "type",
          "label": {
            "en": "Type",
            "zh": "类型"
          },
          "kind": "integer",
          "show": {
            "as": "one",
            "one": [
              {
                "value": 0,
                "label": {
                  "en": "received by shoppers",
                  "zh": "通用领券"
                }
              },
              {
                "value": 1,
                "label": {
                  "en": "given at registration",
                  "zh": "注册赠券"
                }
              },
              {
                "value": 2,
                "label": {
                  "en": "redeemed by code",
                  "zh": "兑换码"
                }
              }
            ]
          }
        },
        {
          "name": "status",
          "label": {
            "en": "Status",
            "zh": "状态"
          },
          "kind": "integer",
          "show": {
            "as": "one",
            "one": [
              {
                "value": 0,
                "label": {
                  "en": "valid",
                  "zh": "正常"
                }
              },
              {
                "value": 1,
                "label": {
                  "en": "expired",
                  "zh": "已过期"
                }
              },
              {
                "value": 2,
                "label": {
                  "en": "withdrawn",
                  "zh": "已下架"
                }
              }
            ]
          }
        },
        {
          "name": "goodsType",
          "label": {
            "en": "Scope",
            "zh": "适用范围"
          },
          "kind": "integer",
          "show": {
            "as": "one",
            "one": [
              {
                "value": 0,
                "label": {
                  "en": "everything",
                  "zh": "全场通用"
                }
              },
              {
                "value": 1,
                "label": {
                  "en": "some categories",
                  "zh": "指定分类"
                }
              },
              {
                "value": 2,
                "label": {
                  "en": "some goods",
                  "zh": "指定商品"
                }
              }
            ]
          }
        },
        {
          "name": "goodsValue",
          "label": {
            "en": "Goods or categories",
            "zh": "适用的商品或分类"
          },
          "kind": "list"
        },
        {
          "name": "code",
          "label": {
            "en": "Code",
            "zh": "验证码"
          },
          "kind": "text"
        },
        {
          "name": "timeType",
          "label": {
            "en": "Validity type",
            "zh": "有效期类型"
          },
          "kind": "integer",
          "show": {
            "as": "one",
            "one": [
              {
                "value": 0,
                "label": {
                  "en": "days after receipt",
                  "zh": "领取后若干天"
                }
              },
              {
                "value": 1,
                "label": {
                  "en": "between two dates",
                  "zh": "固定时间段"
                }
              }
            ]
          }
        },
        {
          "name": "days",
          "label": {
            "en": "Number of valid days",
            "zh": "有效天数"
          },
          "kind": "integer"
        },
        {
          "name": "startTime",
          "label": {
            "en": "Start time",
            "zh": "开始时间"
          },
          "kind": "time"
        },
        {
          "name": "endTime",
          "label": {
            "en": "End time",
            "zh": "结束时间"
          },
          "kind": "time"
        },
        {
          "name": "addTime",
          "label": {
            "en": "Creation time",
            "zh": "创建时间"
          },
          "kind": "time"
        },
        {
          "name": "updateTime",
          "label": {
            "en": "Update time",
            "zh": "更新时间"
          },
          "kind": "time"
        },
        {
          "name": "deleted",
          "label": {
            "en": "Deletion",
            "zh": "删除标记"
          },
          "kind": "boolean"
        }
      ],
      "sorts": [
        "add_time",
        "id"
      ],
      "paged": true
    },
    "create": {
      "path": "/admin/coupon/create",
      "method": "POST",
      "permission": "admin:coupon:create",
      "button": {
        "en": "Add",
        "zh": "添加"
      },
      "fields": [
        {
          "name": "name",
          "label": {
            "en": "Name",
            "zh": "名称"
          },
          "kind": "text",
          "required": true,
          "max": 63
        },
        {
          "name": "desc",
          "label": {
            "en": "Description",
            "zh": "描述"
          },
          "kind": "text",
          "max": 127,
          "show": {
            "as": "long"
          }
        },
        {
          "name": "tag",
          "label": {
            "en": "Tag",
            "zh": "标签"
          },
          "kind": "text",
          "max": 63
        },
        {
          "name": "total",
          "label": {
            "en": "Total",
            "zh": "总数量"
          },
          "kind": "integer",
          "min": 0,
          "max": 99999999
        },
        {
          "name": "discount",
          "label": {
            "en": "Discount",
            "zh": "优惠金额"
          },
          "kind": "decimal",
          "min": 0.00,
          "max": 9999999.99
        },
        {
          "name": "min",
          "label": {
            "en": "Minimum purchase",
            "zh": "最低消费"
          },
          "kind": "decimal",
          "min": 0.00,
          "max": 9999999.99
        },
        {
          "name": "limit",
          "label": {
            "en": "Limit per shopper",
            "zh": "每人限领数量"
          },
          "kind": "integer",
          "min": 0,
          "max": 100
        },
        {
          "name": "type",
          "label": {
            "en": "Type",
            "zh": "类型"
          },
          "kind": "integer",
          "enum": [
            "0",
            "1",
            "2"
          ],
          "show": {
            "as": "one",
            "one": [
              {
                "value": 0,
                "label": {
                  "en": "received by shoppers",
                  "zh": "通用领券"
                }
              },
              {
                "value": 1,
                "label": {
                  "en": "given at registration",
                  "zh": "注册赠券"
                }
              },
              {
                "value": 2,
                "label": {
                  "en": "redeemed by code",
                  "zh": "兑换码"
                }
              }
            ]
          }
        },
        {
          "name": "status",
          "label": {
            "en": "Status",
            "zh": "状态"
          },
          "kind": "integer",
          "enum": [
            "0",
            "1",
            "2"
          ],
          "show": {
            "as": "one",
            "one": [
              {
                "value": 0,
                "label": {
                  "en": "valid",
                  "zh": "正常"
                }
              },
              {
                "value": 1,
                "label": {
                  "en": "expired",
                  "zh": "已过期"
                }
              },
              {
                "value": 2,
                "label": {
                  "en": "withdrawn",
                  "zh": "已下架"
                }
              }
            ]
          }
        },
        {
          "name": "goodsType",
          "label": {
            "en": "Scope",
            "zh": "适用范围"
          },
          "kind": "integer",
          "enum": [
            "0",
            "1",
            "2"
          ],
          "show": {
            "as": "one",
            "one": [
              {
                "value": 0,
                "label": {
                  "en": "everything",
                  "zh": "全场通用"
                }
              },
              {
                "value": 1,
                "label": {
                  "en": "some categories",
                  "zh": "指定分类"
                }
              },
              {
                "value": 2,
                "label": {
                  "en": "some goods",
                  "zh": "指定商品"
                }
              }
            ]
          }
        },
        {
          "name": "goodsValue",
          "label": {
            "en": "Goods or categories",
            "zh": "适用的商品或分类"
          },
          "kind": "list",
          "item": {
            "name": "goodsValue",
            "label": {
              "en": "Goods or categories",
              "zh": "适用的商品或分类"
            },
            "kind": "id"
          },
          "max": 1000
        },
        {
          "name": "timeType",
          "label": {
            "en": "Validity type",
            "zh": "有效期类型"
          },
          "kind": "integer",
          "enum": [
            "0",
            "1"
          ],
          "show": {
            "as": "one",
            "one": [
              {
                "value": 0,
                "label": {
                  "en": "days after receipt",
                  "zh": "领取后若干天"
                }
              },
              {
                "value": 1,
                "label": {
                  "en": "between two dates",
                  "zh": "固定时间段"
                }
              }
            ]
          }
        },
        {
          "name": "days",
          "label": {
            "en": "Number of valid days",
            "zh": "有效天数"
          },
          "kind": "integer",
          "min": 0,
          "max": 3650
        },
        {
          "name": "startTime",
          "label": {
            "en": "Start time",
            "zh": "开始时间"
          },
          "kind": "text",
          "show": {
            "as": "time"
          }
        },
        {
          "name": "endTime",
          "label": {
            "en": "End time",
            "zh": "结束时间"
          },
          "kind": "text",
          "show": {
            "as": "time"
          }
        }
      ]
    },
    "read": {
      "path": "/admin/coupon/read",
      "method": "GET",
      "permission": "admin:coupon:read",
      "button": {
        "en": "Detail",
        "zh": "详情"
      },
      "fields": [
        {
          "name": "id",
          "label": {
            "en": "Id",
            "zh": "编号"
          },
          "kind": "id",
          "required": true
        }
      ]
    },
    "update": {
      "path": "/admin/coupon/update",
      "method": "POST",
      "permission": "admin:coupon:update",
      "button": {
        "en": "Edit",
        "zh": "编辑"
      },
      "fields": [
        {
          "name": "id",
          "label": {
            "en": "Id",
            "zh": "编号"
          },
          "kind": "id",
          "required": true
        },
        {
          "name": "expectedUpdateTime",
          "label": {
            "en": "Update time",
            "zh": "更新时间"
          },
          "kind": "text",
          "show": {
            "as": "time"
          }
        },
        {
          "name": "name",
          "label": {
            "en": "Name",
            "zh": "名称"
          },
          "kind": "text",
          "max": 63
        },
        {
          "name": "desc",
          "label": {
            "en": "Description",
            "zh": "描述"
          },
          "kind": "text",
          "max": 127,
          "show": {
            "as": "long"
          }
        },
        {
          "name": "tag",
          "label": {
            "en": "Tag",
            "zh": "标签"
          },
          "kind": "text",
          "max": 63
        },
        {
          "name": "total",
          "label": {
            "en": "Total",
            "zh": "总数量"
          },
          "kind": "integer",
          "min": 0,
          "max": 99999999
        },
        {
          "name": "discount",
          "label": {
            "en": "Discount",
            "zh": "优惠金额"
          },
          "kind": "decimal",
          "min": 0.00,
          "max": 9999999.99
        },
        {
          "name": "min",
          "label": {
            "en": "Minimum purchase",
            "zh": "最低消费"
          },
          "kind": "decimal",
          "min": 0.00,
          "max": 9999999.99
        },
        {
          "name": "limit",
          "label": {
            "en": "Limit per shopper",
            "zh": "每人限领数量"
          },
          "kind": "integer",
          "min": 0,
          "max": 100
        },
        {
          "name": "type",
          "label": {
            "en": "Type",
            "zh": "类型"
          },
          "kind": "integer",
          "enum": [
            "0",
            "1",
            "2"
          ],
          "show": {
            "as": "one",
            "one": [
              {
                "value": 0,
                "label": {
                  "en": "received by shoppers",
                  "zh": "通用领券"
                }
              },
              {
                "value": 1,
                "label": {
                  "en": "given at registration",
                  "zh": "注册赠券"
                }
              },
              {
                "value": 2,
                "label": {
                  "en": "redeemed by code",
                  "zh": "兑换码"
                }
              }
            ]
          }
        },
        {
          "name": "status",
          "label": {
            "en": "Status",
            "zh": "状态"
          },
          "kind": "integer",
          "enum": [
            "0",
            "1",
            "2"
          ],
          "show": {
            "as": "one",
            "one": [
              {
                "value": 0,
                "label": {
                  "en": "valid",
                  "zh": "正常"
                }
              },
              {
                "value": 1,
                "label": {
                  "en": "expired",
                  "zh": "已过期"
                }
              },
              {
                "value": 2,
                "label": {
                  "en": "withdrawn",
                  "zh": "已下架"
                }
              }
            ]
          }
        },
        {
          "name": "goodsType",
          "label": {
            "en": "Scope",
            "zh": "适用范围"
          },
          "kind": "integer",
          "enum": [
            "0",
            "1",
            "2"
          ],
          "show": {
            "as": "one",
            "one": [
              {
                "value": 0,
                "label": {
                  "en": "everything",
                  "zh": "全场通用"
                }
              },
              {
                "value": 1,
                "label": {
                  "en": "some categories",
                  "zh": "指定分类"
                }
              },
              {
                "value": 2,
                "label": {
                  "en": "some goods",
                  "zh": "指定商品"
                }
              }
            ]
          }
        },
        {
          "name": "goodsValue",
          "label": {
            "en": "Goods or categories",
            "zh": "适用的商品或分类"
          },
          "kind": "list",
          "item": {
            "name": "goodsValue",
            "label": {
              "en": "Goods or categories",
              "zh": "适用的商品或分类"
            },
            "kind": "id"
          },
          "max": 1000
        },
        {
          "name": "timeType",
          "label": {
            "en": "Validity type",
            "zh": "有效期类型"
          },
          "kind": "integer",
          "enum": [
            "0",
            "1"
          ],
          "show": {
            "as": "one",
            "one": [
              {
                "value": 0,
                "label": {
                  "en": "days after receipt",
                  "zh": "领取后若干天"
                }
              },
              {
                "value": 1,
                "label": {
                  "en": "between two dates",
                  "zh": "固定时间段"
                }
              }
            ]
          }
        },
        {
          "name": "days",
          "label": {
            "en": "Number of valid days",
            "zh": "有效天数"
          },
          "kind": "integer",
          "min": 0,
          "max": 3650
        },
        {
          "name": "startTime",
          "label": {
            "en": "Start time",
            "zh": "开始时间"
          },
          "kind": "text",
          "show": {
            "as": "time"
          }
        },
        {
          "name": "endTime",
          "label": {
            "en": "End time",
            "zh": "结束时间"
          },
          "kind": "text",
          "show": {
            "as": "time"
          }
        }
      ]
    },
    "delete": {
      "path": "/admin/coupon/delete",
      "method": "POST",
      "permission": "admin:coupon:delete",
      "button": {
        "en": "Delete",
        "zh": "删除"
      },
      "fields": [
        {
          "name": "id",
          "label": {
            "en": "Id",
            "zh": "编号"
          },
          "kind": "id",
          "required": true
        }
      ]
    },
    "acts": [
      {
        "path": "/admin/coupon/listuser",
        "method": "GET",
        "permission": "admin:coupon:listuser",
        "button": {
          "en": "Query holders",
          "zh": "查询用户"
        },
        "fields": [
          {
            "name": "page",
            "label": {
              "en": "Page",
              "zh": "页码"
            },
            "kind": "integer"
          },
          {
            "name": "limit",
            "label": {
              "en": "Page size",
              "zh": "每页行数"
            },
            "kind": "integer"
          },
          {
            "name": "sort",
            "label": {
              "en": "Sort field",
              "zh": "排序字段"
            },
            "kind": "text"
          },
          {
            "name": "order",
            "label": {
              "en": "Sort direction",
              "zh": "排序方向"
            },
            "kind": "text",
            "enum": [
              "desc",
              "asc"
            ]
          },
          {
            "name": "userId",
            "label": {
              "en": "User",
              "zh": "用户"
            },
            "kind": "id",
            "show": {
              "as": "of",
              "of": "user"
            }
          },
          {
            "name": "couponId",
            "label": {
              "en": "Coupon",
              "zh": "优惠券"
            },
            "kind": "id",
            "show": {
              "as": "of",
              "of": "coupon"
            }
          },
          {
            "name": "status",
            "label": {
              "en": "Status",
              "zh": "状态"
            },
            "kind": "integer",
            "show": {
              "as": "one",
              "one": [
                {
                  "value": 0,
                  "label": {
                    "en": "valid",
                    "zh": "正常"
                  }
                },
                {
                  "value": 1,
                  "label": {
                    "en": "expired",
                    "zh": "已过期"
                  }
                },
                {
                  "value": 2,
                  "label": {
                    "en": "withdrawn",
                    "zh": "已下架"
                  }
                }
              ]
            }
          }
        ]
      },
      {
        "path": "/admin/coupon/export",
        "method": "GET",
        "permission": "admin:coupon:export",
        "button": {
          "en": "Export",
          "zh": "导出"
        },
        "fields": [
          {
            "name": "userId",
            "label": {
              "en": "User",
              "zh": "用户"
            },
            "kind": "id",
            "show": {
              "as": "of",
              "of": "user"
            }
          },
          {
            "name": "couponId",
            "label": {
              "en": "Coupon",
              "zh": "优惠券"
            },
            "kind": "id",
            "show": {
              "as": "of",
              "of": "coupon"
            }
          },
          {
            "name": "status",
            "label": {
              "en": "Status",
              "zh": "状态"
            },
            "kind": "integer",
            "show": {
              "as": "one",
              "one": [
                {
                  "value": 0,
                  "label": {
                    "en": "valid",
                    "zh": "正常"
                  }
                },
                {
                  "value": 1,
                  "label": {
                    "en": "expired",
                    "zh": "已过期"
                  }
                },
                {
                  "value": 2,
                  "label": {
                    "en": "withdrawn",
                    "zh": "已下架"
                  }
                }
              ]
            }
          }
        ]
      }
    ]
  },
  "feedback": {
    "id": "feedback",
    "page": "user/feedback",
    "list": {
      "path": "/admin/feedback/list",
      "method": "GET",
      "permission": "admin:feedback:list",
      "button": {
        "en": "Query",
        "zh": "查询"
      },
      "fields": [
        {
          "name": "id",
          "label": {
            "en": "Id",
            "zh": "编号"
          },
          "kind": "id"
        },
        {
          "name": "userId",
          "label": {
            "en": "User",
            "zh": "用户"
          },
          "kind": "id",
          "show": {
            "as": "of",
            "of": "user"
          }
        },
        {
          "name": "username",
          "label": {
            "en": "User name",
            "zh": "用户名"
          },
          "kind": "text"
        }
      ],
      "columns": [
        {
          "name": "feedType",
          "label": {
            "en": "Feedback type",
            "zh": "反馈类型"
          },
          "kind": "text"
        },
        {
          "name": "content",
          "label": {
            "en": "Content",
            "zh": "内容"
          },
          "kind": "text",
          "show": {
            "as": "long"
          },
          "opens": true
        },
        {
          "name": "picUrls",
          "label": {
            "en": "Pictures",
            "zh": "图片"
          },
          "kind": "list",
          "show": {
            "as": "picture"
          }
        },
        {
          "name": "username",
          "label": {
            "en": "User name",
            "zh": "用户名"
          },
          "kind": "text"
        },
        {
          "name": "mobile",
          "label": {
            "en": "Mobile number",
            "zh": "手机号码"
          },
          "kind": "text"
        },
        {
          "name": "addTime",
          "label": {
            "en": "Creation time",
            "zh": "创建时间"
          },
          "kind": "time",
          "sort": "add_time"
        }
      ],
      "row": [
        {
          "name": "id",
          "label": {
            "en": "Id",
            "zh": "编号"
          },
          "kind": "integer"
        },
        {
          "name": "userId",
          "label": {
            "en": "User",
            "zh": "用户"
          },
          "kind": "integer",
          "show": {
            "as": "of",
            "of": "user"
          }
        },
        {
          "name": "username",
          "label": {
            "en": "User name",
            "zh": "用户名"
          },
          "kind": "text"
        },
        {
          "name": "mobile",
          "label": {
            "en": "Mobile number",
            "zh": "手机号码"
          },
          "kind": "text"
        },
        {
          "name": "feedType",
          "label": {
            "en": "Feedback type",
            "zh": "反馈类型"
          },
          "kind": "text"
        },
        {
          "name": "content",
          "label": {
            "en": "Content",
            "zh": "内容"
          },
          "kind": "text",
          "show": {
            "as": "long"
          }
        },
        {
          "name": "status",
          "label": {
            "en": "Status",
            "zh": "状态"
          },
          "kind": "integer"
        },
        {
          "name": "hasPicture",
          "label": {
            "en": "Picture filter",
            "zh": "是否有图"
          },
          "kind": "boolean"
        },
        {
          "name": "picUrls",
          "label": {
            "en": "Pictures",
            "zh": "图片"
          },
          "kind": "list",
          "show": {
            "as": "picture"
          }
        },
        {
          "name": "addTime",
          "label": {
            "en": "Creation time",
            "zh": "创建时间"
          },
          "kind": "time"
        },
        {
          "name": "updateTime",
          "label": {
            "en": "Update time",
            "zh": "更新时间"
          },
          "kind": "time"
        },
        {
          "name": "deleted",
          "label": {
            "en": "Deletion",
            "zh": "删除标记"
          },
          "kind": "boolean"
        }
      ],
      "sorts": [
        "add_time",
        "id"
      ],
      "paged": true,
      "byId": true
    },
    "acts": []
  },
  "find": {
    "id": "find",
    "page": "sys/find",
    "acts": [
      {
        "path": "/admin/find",
        "method": "GET",
        "permission": "admin:find:list",
        "button": {
          "en": "Query",
          "zh": "查询"
        },
        "fields": [
          {
            "name": "keyword",
            "label": {
              "en": "Keyword",
              "zh": "关键字"
            },
            "kind": "text",
            "required": true
          }
        ]
      }
    ]
  },
  "footprint": {
    "id": "footprint",
    "page": "user/footprint",
    "list": {
      "path": "/admin/footprint/list",
      "method": "GET",
      "permission": "admin:footprint:list",
      "button": {
        "en": "Query",
        "zh": "查询"
      },
      "fields": [
        {
          "name": "userId",
          "label": {
            "en": "User",
            "zh": "用户"
          },
          "kind": "id",
          "show": {
            "as": "of",
            "of": "user"
          }
        },
        {
          "name": "goodsId",
          "label": {
            "en": "Goods",
            "zh": "商品"
          },
          "kind": "id",
          "show": {
            "as": "of",
            "of": "goods"
          }
        }
      ],
      "columns": [
        {
          "name": "username",
          "label": {
            "en": "User name",
            "zh": "用户名"
          },
          "kind": "text"
        },
        {
          "name": "goodsName",
          "label": {
            "en": "Name of the goods",
            "zh": "商品名称"
          },
          "kind": "text"
        },
        {
          "name": "addTime",
          "label": {
            "en": "Creation time",
            "zh": "创建时间"
          },
          "kind": "time",
          "sort": "add_time"
        }
      ],
      "row": [
        {
          "name": "id",
          "label": {
            "en": "Id",
            "zh": "编号"
          },
          "kind": "integer"
        },
        {
          "name": "userId",
          "label": {
            "en": "User",
            "zh": "用户"
          },
          "kind": "integer",
          "show": {
            "as": "of",
            "of": "user"
          }
        },
        {
          "name": "username",
          "label": {
            "en": "User name",
            "zh": "用户名"
          },
          "kind": "text"
        },
        {
          "name": "goodsId",
          "label": {
            "en": "Goods",
            "zh": "商品"
          },
          "kind": "integer",
          "show": {
            "as": "of",
            "of": "goods"
          }
        },
        {
          "name": "goodsName",
          "label": {
            "en": "Name of the goods",
            "zh": "商品名称"
          },
          "kind": "text"
        },
        {
          "name": "addTime",
          "label": {
            "en": "Creation time",
            "zh": "创建时间"
          },
          "kind": "time"
        },
        {
          "name": "updateTime",
          "label": {
            "en": "Update time",
            "zh": "更新时间"
          },
          "kind": "time"
        },
        {
          "name": "deleted",
          "label": {
            "en": "Deletion",
            "zh": "删除标记"
          },
          "kind": "boolean"
        }
      ],
      "sorts": [
        "add_time",
        "id"
      ],
      "paged": true,
      "byId": true
    },
    "acts": []
  },
  "goods": {
    "id": "goods",
    "page": "goods/goods",
    "list": {
      "path": "/admin/goods/list",
      "method": "GET",
      "permission": "admin:goods:list",
      "button": {
        "en": "Query",
        "zh": "查询"
      },
      "fields": [
        {
          "name": "goodsId",
          "label": {
            "en": "Goods",
            "zh": "商品"
          },
          "kind": "id"
        },
        {
          "name": "goodsSn",
          "label": {
            "en": "Goods number",
            "zh": "商品编号"
          },
          "kind": "text"
        },
        {
          "name": "name",
          "label": {
            "en": "Name",
            "zh": "名称"
          },
          "kind": "text"
        },
        {
          "name": "categoryId",
          "label": {
            "en": "Category",
            "zh": "分类"
          },
          "kind": "id",
          "show": {
            "as": "of",
            "of": "category"
          }
        },
        {
          "name": "brandId",
          "label": {
            "en": "Brand",
            "zh": "品牌"
          },
          "kind": "id",
          "show": {
            "as": "of",
            "of": "brand"
          }
        },
        {
          "name": "isOnSale",
          "label": {
            "en": "On-sale",
            "zh": "在售标记"
          },
          "kind": "boolean"
        },
        {
          "name": "isNew",
          "label": {
            "en": "New",
            "zh": "新品标记"
          },
          "kind": "boolean"
        },
        {
          "name": "isHot",
          "label": {
            "en": "Hot",
            "zh": "热门标记"
          },
          "kind": "boolean"
        }
      ],
      "columns": [
        {
          "name": "picUrl",
          "label": {
            "en": "Picture",
            "zh": "图片"
          },
          "kind": "text",
          "show": {
            "as": "picture"
          }
        },
        {
          "name": "name",
          "label": {
            "en": "Name",
            "zh": "名称"
          },
          "kind": "text",
          "opens": true
        },
        {
          "name": "goodsSn",
          "label": {
            "en": "Goods number",
            "zh": "商品编号"
          },
          "kind": "text"
        },
        {
          "name": "retailPrice",
          "label": {
            "en": "Retail price",
            "zh": "零售价"
          },
          "kind": "money",
          "sort": "retail_price"
        },
        {
          "name": "isOnSale",
          "label": {
            "en": "On-sale",
            "zh": "在售标记"
          },
          "kind": "boolean"
        },
        {
          "name": "isNew",
          "label": {
            "en": "New",
            "zh": "新品标记"
          },
          "kind": "boolean"
        },
        {
          "name": "isHot",
          "label": {
            "en": "Hot",
            "zh": "热门标记"
          },
          "kind": "boolean"
        },
        {
          "name": "sortOrder",
          "label": {
            "en": "Sort order",
            "zh": "排序"
          },
          "kind": "integer"
        },
        {
          "name": "addTime",
          "label": {
            "en": "Creation time",
            "zh": "创建时间"
          },
          "kind": "time",
          "sort": "add_time"
        }
      ],
      "row": [
        {
          "name": "id",
          "label": {
            "en": "Id",
            "zh": "编号"
          },
          "kind": "integer"
        },
        {
          "name": "goodsSn",
          "label": {
            "en": "Goods number",
            "zh": "商品编号"
          },
          "kind": "text"
        },
        {
          "name": "name",
          "label": {
            "en": "Name",
            "zh": "名称"
          },
          "kind": "text"
        },
        {
          "name": "categoryId",
          "label": {
            "en": "Category",
            "zh": "分类"
          },
          "kind": "integer",
          "show": {
            "as": "of",
            "of": "category"
          }
        },
        {
          "name": "brandId",
          "label": {
            "en": "Brand",
            "zh": "品牌"
          },
          "kind": "integer",
          "show": {
            "as": "of",
            "of": "brand"
          }
        },
        {
          "name": "gallery",
          "label": {
            "en": "Pictures",
            "zh": "商品图片"
          },
          "kind": "list",
          "show": {
            "as": "picture"
          }
        },
        {
          "name": "keywords",
          "label": {
            "en": "Keywords",
            "zh": "关键字"
          },
          "kind": "text"
        },
        {
          "name": "brief",
          "label": {
            "en": "Brief description",
            "zh": "简介"
          },
          "kind": "text",
          "show": {
            "as": "long"
          }
        },
        {
          "name": "isOnSale",
          "label": {
            "en": "On-sale",
            "zh": "在售标记"
          },
          "kind": "boolean"
        },
        {
          "name": "sortOrder",
          "label": {
            "en": "Sort order",
            "zh": "排序"
          },
          "kind": "integer"
        },
        {
          "name": "picUrl",
          "label": {
            "en": "Picture",
            "zh": "图片"
          },
          "kind": "text",
          "show": {
            "as": "picture"
          }
        },
        {
          "name": "shareUrl",
          "label": {
            "en": "Share picture",
            "zh": "分享图"
          },
          "kind": "text",
          "show": {
            "as": "picture"
          }
        },
        {
          "name": "isNew",
          "label": {
            "en": "New",
            "zh": "新品标记"
          },
          "kind": "boolean"
        },
        {
          "name": "isHot",
          "label": {
            "en": "Hot",
            "zh": "热门标记"
          },
          "kind": "boolean"
        },
        {
          "name": "unit",
          "label": {
            "en": "Unit",
            "zh": "单位"
          },
          "kind": "text"
        },
        {
          "name": "counterPrice",
          "label": {
            "en": "Counter price",
            "zh": "专柜价格"
          },
          "kind": "money"
        },
        {
          "name": "retailPrice",
          "label": {
            "en": "Retail price",
            "zh": "零售价"
          },
          "kind": "money"
        },
        {
          "name": "detail",
          "label": {
            "en": "Description",
            "zh": "商品详情"
          },
          "kind": "text",
          "show": {
            "as": "rich"
          }
        },
        {
          "name": "addTime",
          "label": {
            "en": "Creation time",
            "zh": "创建时间"
          },
          "kind": "time"
        },
        {
          "name": "updateTime",
          "label": {
            "en": "Update time",
            "zh": "更新时间"
          },
          "kind": "time"
        },
        {
          "name": "deleted",
          "label": {
            "en": "Deletion",
            "zh": "删除标记"
          },
          "kind": "boolean"
        }
      ],
      "sorts": [
        "add_time",
        "id",
        "retail_price"
      ],
      "paged": true
    },
    "create": {
      "path": "/admin/goods/create",
      "method": "POST",
      "permission": "admin:goods:create",
      "button": {
        "en": "Put on sale",
        "zh": "上架"
      },
      "fields": [
        {
          "name": "goods",
          "label": {
            "en": "Goods",
            "zh": "商品"
          },
          "kind": "object",
          "members": [
            {
              "name": "goodsSn",
              "label": {
                "en": "Goods number",
                "zh": "商品编号"
              },
              "kind": "text",
              "required": true,
              "notBlank": true,
              "max": 63
            },
            {
              "name": "name",
              "label": {
                "en": "Name",
                "zh": "名称"
              },
              "kind": "text",
              "required": true,
              "notBlank": true,
              "max": 127
            },
            {
              "name": "categoryId",
              "label": {
                "en": "Category",
                "zh": "分类"
              },
              "kind": "id",
              "show": {
                "as": "of",
                "of": "category"
              }
            },
            {
              "name": "brandId",
              "label": {
                "en": "Brand",
                "zh": "品牌"
              },
              "kind": "id",
              "show": {
                "as": "of",
                "of": "brand"
              }
            },
            {
              "name": "gallery",
              "label": {
                "en": "Pictures",
                "zh": "商品图片"
              },
              "kind": "list",
              "item": {
                "name": "gallery",
                "label": {
                  "en": "Pictures",
                  "zh": "商品图片"
                },
                "kind": "text",
                "max": 255
              },
              "max": 20,
              "show": {
                "as": "picture"
              }
            },
            {
              "name": "keywords",
              "label": {
                "en": "Keywords",
                "zh": "关键字"
              },
              "kind": "text",
              "max": 255
            },
            {
              "name": "brief",
              "label": {
                "en": "Brief description",
                "zh": "简介"
              },
              "kind": "text",
              "max": 255,
              "show": {
                "as": "long"
              }
            },
            {
              "name": "isOnSale",
              "label": {
                "en": "On-sale",
                "zh": "在售标记"
              },
              "kind": "boolean",
              "default": "true"
            },
            {
              "name": "sortOrder",
              "label": {
                "en": "Sort order",
                "zh": "排序"
              },
              "kind": "integer",
              "min": -999999,
              "max": 999999,
              "default": "100"
            },
            {
              "name": "picUrl",
              "label": {
                "en": "Picture",
                "zh": "图片"
              },
              "kind": "text",
              "max": 255,
              "show": {
                "as": "picture"
              }
            },
            {
              "name": "isNew",
              "label": {
                "en": "New",
                "zh": "新品标记"
              },
              "kind": "boolean"
            },
            {
              "name": "isHot",
              "label": {
                "en": "Hot",
                "zh": "热门标记"
              },
              "kind": "boolean"
            },
            {
              "name": "unit",
              "label": {
                "en": "Unit",
                "zh": "单位"
              },
              "kind": "text",
              "max": 31,
              "default": "件"
            },
            {
              "name": "counterPrice",
              "label": {
                "en": "Counter price",
                "zh": "专柜价格"
              },
              "kind": "decimal",
              "min": 0.00,
              "max": 9999999.99
            },
            {
              "name": "detail",
              "label": {
                "en": "Description",
                "zh": "商品详情"
              },
              "kind": "text",
              "show": {
                "as": "rich"
              }
            }
          ],
          "required": true
        },
        {
          "name": "specifications",
          "label": {
            "en": "Specifications",
            "zh": "规格"
          },
          "kind": "list",
          "item": {
            "name": "specifications",
            "label": {
              "en": "Specifications",
              "zh": "规格"
            },
            "kind": "object",
            "members": [
              {
                "name": "specification",
                "label": {
                  "en": "Specification name",
                  "zh": "规格名称"
                },
                "kind": "text",
                "required": true,
                "max": 255
              },
              {
                "name": "value",
                "label": {
                  "en": "Value",
                  "zh": "值"
                },
                "kind": "text",
                "required": true,
                "max": 255
              },
              {
                "name": "picUrl",
                "label": {
                  "en": "Picture",
                  "zh": "图片"
                },
                "kind": "text",
                "max": 255,
                "show": {
                  "as": "picture"
                }
              }
            ]
          },
          "required": true,
          "max": 1000
        },
        {
          "name": "products",
          "label": {
            "en": "Products",
            "zh": "货品"
          },
          "kind": "list",
          "item": {
            "name": "products",
            "label": {
              "en": "Products",
              "zh": "货品"
            },
            "kind": "object",
            "members": [
              {
                "name": "specifications",
                "label": {
                  "en": "Specifications",
                  "zh": "规格"
                },
                "kind": "list",
                "item": {
                  "name": "specifications",
                  "label": {
                    "en": "Specifications",
                    "zh": "规格"
                  },
                  "kind": "text",
                  "max": 255
                },
                "required": true,
                "max": 1000
              },
              {
                "name": "price",
                "label": {
                  "en": "Price",
                  "zh": "价格"
                },
                "kind": "decimal",
                "required": true,
                "min": 0.00,
                "max": 9999999.99
              },
              {
                "name": "number",
                "label": {
                  "en": "Quantity",
                  "zh": "数量"
                },
                "kind": "integer",
                "required": true,
                "min": 0,
                "max": 99999999
              },
              {
                "name": "url",
                "label": {
                  "en": "URL",
                  "zh": "网址"
                },
                "kind": "text",
                "max": 255
              }
            ]
          },
          "required": true,
          "max": 1000
        },
        {
          "name": "attributes",
          "label": {
            "en": "Attributes",
            "zh": "商品参数"
          },
          "kind": "list",
          "item": {
            "name": "attributes",
            "label": {
              "en": "Attributes",
              "zh": "商品参数"
            },
            "kind": "object",
            "members": [
              {
                "name": "attribute",
                "label": {
                  "en": "Attribute name",
                  "zh": "参数名称"
                },
                "kind": "text",
                "max": 255
              },
              {
                "name": "value",
                "label": {
                  "en": "Value",
                  "zh": "值"
                },
                "kind": "text",
                "max": 255
              },
              {
                "name": "deleted",
                "label": {
                  "en": "Deletion",
                  "zh": "删除标记"
                },
                "kind": "boolean"
              }
            ]
          },
          "max": 1000
        }
      ]
    },
    "read": {
      "path": "/admin/goods/detail",
      "method": "GET",
      "permission": "admin:goods:read",
      "button": {
        "en": "Detail",
        "zh": "详情"
      },
      "fields": [
        {
          "name": "id",
          "label": {
            "en": "Id",
            "zh": "编号"
          },
          "kind": "id",
          "required": true
        }
      ]
    },
    "update": {
      "path": "/admin/goods/update",
      "method": "POST",
      "permission": "admin:goods:update",
      "button": {
        "en": "Edit",
        "zh": "编辑"
      },
      "fields": [
        {
          "name": "id",
          "label": {
            "en": "Id",
            "zh": "编号"
          },
          "kind": "id",
          "required": true
        },
        {
          "name": "goodsSn",
          "label": {
            "en": "Goods number",
            "zh": "商品编号"
          },
          "kind": "text",
          "notBlank": true,
          "max": 63
        },
        {
          "name": "name",
          "label": {
            "en": "Name",
            "zh": "名称"
          },
          "kind": "text",
          "notBlank": true,
          "max": 127
        },
        {
          "name": "categoryId",
          "label": {
            "en": "Category",
            "zh": "分类"
          },
          "kind": "id",
          "show": {
            "as": "of",
            "of": "category"
          }
        },
        {
          "name": "brandId",
          "label": {
            "en": "Brand",
            "zh": "品牌"
          },
          "kind": "id",
          "show": {
            "as": "of",
            "of": "brand"
          }
        },
        {
          "name": "gallery",
          "label": {
            "en": "Pictures",
            "zh": "商品图片"
          },
          "kind": "list",
          "item": {
            "name": "gallery",
            "label": {
              "en": "Pictures",
              "zh": "商品图片"
            },
            "kind": "text",
            "max": 255
          },
          "max": 20,
          "show": {
            "as": "picture"
          }
        },
        {
          "name": "keywords",
          "label": {
            "en": "Keywords",
            "zh": "关键字"
          },
          "kind": "text",
          "max": 255
        },
        {
          "name": "brief",
          "label": {
            "en": "Brief description",
            "zh": "简介"
          },
          "kind": "text",
          "max": 255,
          "show": {
            "as": "long"
          }
        },
        {
          "name": "isOnSale",
          "label": {
            "en": "On-sale",
            "zh": "在售标记"
          },
          "kind": "boolean"
        },
        {
          "name": "sortOrder",
          "label": {
            "en": "Sort order",
            "zh": "排序"
          },
          "kind": "integer",
          "min": -999999,
          "max": 999999
        },
        {
          "name": "picUrl",
          "label": {
            "en": "Picture",
            "zh": "图片"
          },
          "kind": "text",
          "max": 255,
          "show": {
            "as": "picture"
          }
        },
        {
          "name": "isNew",
          "label": {
            "en": "New",
            "zh": "新品标记"
          },
          "kind": "boolean"
        },
        {
          "name": "isHot",
          "label": {
            "en": "Hot",
            "zh": "热门标记"
          },
          "kind": "boolean"
        },
        {
          "name": "unit",
          "label": {
            "en": "Unit",
            "zh": "单位"
          },
          "kind": "text",
          "max": 31
        },
        {
          "name": "counterPrice",
          "label": {
            "en": "Counter price",
            "zh": "专柜价格"
          },
          "kind": "decimal",
          "min": 0.00,
          "max": 9999999.99
        },
        {
          "name": "updateTime",
          "label": {
            "en": "Update time",
            "zh": "更新时间"
          },
          "kind": "text"
        }
      ],
      "record": "goods"
    },
    "delete": {
      "path": "/admin/goods/delete",
      "method": "POST",
      "permission": "admin:goods:delete",
      "button": {
        "en": "Delete",
        "zh": "删除"
      },
      "fields": [
        {
          "name": "id",
          "label": {
            "en": "Id",
            "zh": "编号"
          },
          "kind": "id",
          "required": true
        }
      ]
    },
    "acts": [
      {
        "path": "/admin/goods/hot",
        "method": "POST",
        "permission": "admin:goods:hot",
        "button": {
          "en": "Hot product",
          "zh": "热销"
        },
        "fields": [
          {
            "name": "productId",
            "label": {
              "en": "Product",
              "zh": "货品"
            },
            "kind": "id",
            "required": true
          },
          {
            "name": "hotMode",
            "label": {
              "en": "Mode of a hot product",
              "zh": "热销模式"
            },
            "kind": "integer",
            "required": true,
            "enum": [
              "0",
              "1",
              "2"
            ]
          }
        ]
      },
      {
        "path": "/admin/goods/export",
        "method": "GET",
        "permission": "admin:goods:export",
        "button": {
          "en": "Export",
          "zh": "导出"
        },
        "fields": [
          {
            "name": "goodsId",
            "label": {
              "en": "Goods",
              "zh": "商品"
            },
            "kind": "id"
          },
          {
            "name": "goodsSn",
            "label": {
              "en": "Goods number",
              "zh": "商品编号"
            },
            "kind": "text"
          },
          {
            "name": "name",
            "label": {
              "en": "Name",
              "zh": "名称"
            },
            "kind": "text"
          },
          {
            "name": "categoryId",
            "label": {
              "en": "Category",
              "zh": "分类"
            },
            "kind": "id",
            "show": {
              "as": "of",
              "of": "category"
            }
          },
          {
            "name": "brandId",
            "label": {
              "en": "Brand",
              "zh": "品牌"
            },
            "kind": "id",
            "show": {
              "as": "of",
              "of": "brand"
            }
          },
          {
            "name": "isOnSale",
            "label": {
              "en": "On-sale",
              "zh": "在售标记"
            },
            "kind": "boolean"
          },
          {
            "name": "isNew",
            "label": {
              "en": "New",
              "zh": "新品标记"
            },
            "kind": "boolean"
          },
          {
            "name": "isHot",
            "label": {
              "en": "Hot",
              "zh": "热门标记"
            },
            "kind": "boolean"
          }
        ]
      }
    ]
  },
  "groupon": {
    "id": "groupon",
    "page": "promotion/groupon",
    "list": {
      "path": "/admin/groupon/list",
      "method": "GET",
      "permission": "admin:groupon:list",
      "button": {
        "en": "Query",
        "zh": "查询"
      },
      "fields": [
        {
          "name": "goodsId",
          "label": {
            "en": "Goods",
            "zh": "商品"
          },
          "kind": "id",
          "show": {
            "as": "of",
            "of": "goods"
          }
        }
      ],
      "columns": [
        {
          "name": "picUrl",
          "label": {
            "en": "Picture",
            "zh": "图片"
          },
          "kind": "text",
          "show": {
            "as": "picture"
          }
        },
        {
          "name": "goodsName",
          "label": {
            "en": "Name of the goods",
            "zh": "商品名称"
          },
          "kind": "text",
          "opens": true
        },
        {
          "name": "goodsId",
          "label": {
            "en": "Goods",
            "zh": "商品"
          },
          "kind": "integer",
          "show": {
            "as": "of",
            "of": "goods"
          }
        },
        {
          "name": "discount",
          "label": {
            "en": "Discount",
            "zh": "优惠金额"
          },
          "kind": "integer"
        },
        {
          "name": "discountMember",
          "label": {
            "en": "Group size",
            "zh": "拼团人数"
          },
          "kind": "integer"
        },
        {
          "name": "expireTime",
          "label": {
            "en": "Expiry time",
            "zh": "截止时间"
          },
          "kind": "time"
        },
        {
          "name": "status",
          "label": {
            "en": "Status",
            "zh": "状态"
          },
          "kind": "integer",
          "show": {
            "as": "one",
            "one": [
              {
                "value": 0,
                "label": {
                  "en": "open",
                  "zh": "正常"
                }
              },
              {
                "value": 1,
                "label": {
                  "en": "expired",
                  "zh": "到期下线"
                }
              },
              {
                "value": 2,
                "label": {
                  "en": "ended early",
                  "zh": "提前下线"
                }
              }
            ]
          }
        }
      ],
      "row": [
        {
          "name": "id",
          "label": {
            "en": "Id",
            "zh": "编号"
          },
          "kind": "integer"
        },
        {
          "name": "goodsId",
          "label": {
            "en": "Goods",
            "zh": "商品"
          },
          "kind": "integer",
          "show": {
            "as": "of",
            "of": "goods"
          }
        },
        {
          "name": "goodsName",
          "label": {
            "en": "Name of the goods",
            "zh": "商品名称"
          },
          "kind": "text"
        },
        {
          "name": "picUrl",
          "label": {
            "en": "Picture",
            "zh": "图片"
          },
          "kind": "text",
          "show": {
            "as": "picture"
          }
        },
        {
          "name": "discount",
          "label": {
            "en": "Discount",
            "zh": "优惠金额"
          },
          "kind": "integer"
        },
        {
          "name": "discountMember",
          "label": {
            "en": "Group size",
            "zh": "拼团人数"
          },
          "kind": "integer"
        },
        {
          "name": "expireTime",
          "label": {
            "en": "Expiry time",
            "zh": "截止时间"
          },
          "kind": "time"
        },
        {
          "name": "status",
          "label": {
            "en": "Status",
            "zh": "状态"
          },
          "kind": "integer",
          "show": {
            "as": "one",
            "one": [
              {
                "value": 0,
                "label": {
                  "en": "open",
                  "zh": "正常"
                }
              },
              {
                "value": 1,
                "label": {
                  "en": "expired",
                  "zh": "到期下线"
                }
              },
              {
                "value": 2,
                "label": {
                  "en": "ended early",
                  "zh": "提前下线"
                }
              }
            ]
          }
        },
        {
          "name": "addTime",
          "label": {
            "en": "Creation time",
            "zh": "创建时间"
          },
          "kind": "time"
        },
        {
          "name": "updateTime",
          "label": {
            "en": "Update time",
            "zh": "更新时间"
          },
          "kind": "time"
        },
        {
          "name": "deleted",
          "label": {
            "en": "Deletion",
            "zh": "删除标记"
          },
          "kind": "boolean"
        }
      ],
      "sorts": [
        "add_time",
        "id"
      ],
      "paged": true,
      "byId": true
    },
    "create": {
      "path": "/admin/groupon/create",
      "method": "POST",
      "permission": "admin:groupon:create",
      "button": {
        "en": "Add",
        "zh": "添加"
      },
      "fields": [
        {
          "name": "goodsId",
          "label": {
            "en": "Goods",
            "zh": "商品"
          },
          "kind": "id",
          "required": true,
          "show": {
            "as": "of",
            "of": "goods"
          }
        },
        {
          "name": "discount",
          "label": {
            "en": "Discount",
            "zh": "优惠金额"
          },
          "kind": "integer",
          "required": true,
          "min": 1,
          "max": 9999999
        },
        {
          "name": "discountMember",
          "label": {
            "en": "Group size",
            "zh": "拼团人数"
          },
          "kind": "integer",
          "required": true,
          "min": 2,
          "max": 1000
        },
        {
          "name": "expireTime",
          "label": {
            "en": "Expiry time",
            "zh": "截止时间"
          },
          "kind": "text",
          "required": true,
          "show": {
            "as": "time"
          }
        }
      ]
    },
    "update": {
      "path": "/admin/groupon/update",
      "method": "POST",
      "permission": "admin:groupon:update",
      "button": {
        "en": "Edit",
        "zh": "编辑"
      },
      "fields": [
        {
          "name": "id",
          "label": {
            "en": "Id",
            "zh": "编号"
          },
          "kind": "id",
          "required": true
        },
        {
          "name": "expectedUpdateTime",
          "label": {
            "en": "Update time",
            "zh": "更新时间"
          },
          "kind": "text",
          "show": {
            "as": "time"
          }
        },
        {
          "name": "goodsId",
          "label": {
            "en": "Goods",
            "zh": "商品"
          },
          "kind": "id",
          "show": {
            "as": "of",
            "of": "goods"
          }
        },
        {
          "name": "discount",
          "label": {
            "en": "Discount",
            "zh": "优惠金额"
          },
          "kind": "integer",
          "min": 1,
          "max": 9999999
        },
        {
          "name": "discountMember",
          "label": {
            "en": "Group size",
            "zh": "拼团人数"
          },
          "kind": "integer",
          "min": 2,
          "max": 1000
        },
        {
          "name": "expireTime",
          "label": {
            "en": "Expiry time",
            "zh": "截止时间"
          },
          "kind": "text",
          "show": {
            "as": "time"
          }
        }
      ]
    },
    "delete": {
      "path": "/admin/groupon/delete",
      "method": "POST",
      "permission": "admin:groupon:delete",
      "button": {
        "en": "Delete",
        "zh": "删除"
      },
      "fields": [
        {
          "name": "id",
          "label": {
            "en": "Id",
            "zh": "编号"
          },
          "kind": "id",
          "required": true
        }
      ]
    },
    "acts": [
      {
        "path": "/admin/groupon/listRecord",
        "method": "GET",
        "permission": "admin:groupon:read",
        "button": {
          "en": "Detail",
          "zh": "详情"
        },
        "fields": [
          {
            "name": "page",
            "label": {
              "en": "Page",
              "zh": "页码"
            },
            "kind": "integer"
          },
          {
            "name": "limit",
            "label": {
              "en": "Page size",
              "zh": "每页行数"
            },
            "kind": "integer"
          },
          {
            "name": "sort",
            "label": {
              "en": "Sort field",
              "zh": "排序字段"
            },
            "kind": "text"
          },
          {
            "name": "order",
            "label": {
              "en": "Sort direction",
              "zh": "排序方向"
            },
            "kind": "text",
            "enum": [
              "desc",
              "asc"
            ]
          },
          {
            "name": "grouponRuleId",
            "label": {
              "en": "Group-buy rule",
              "zh": "团购规则"
            },
            "kind": "id",
            "show": {
              "as": "of",
              "of": "groupon"
            }
          }
        ]
      }
    ]
  },
  "history": {
    "id": "history",
    "page": "user/history",
    "list": {
      "path": "/admin/history/list",
      "method": "GET",
      "permission": "admin:history:list",
      "button": {
        "en": "Query",
        "zh": "查询"
      },
      "fields": [
        {
          "name": "userId",
          "label": {
            "en": "User",
            "zh": "用户"
          },
          "kind": "id",
          "show": {
            "as": "of",
            "of": "user"
          }
        },
        {
          "name": "keyword",
          "label": {
            "en": "Keyword",
            "zh": "关键字"
          },
          "kind": "text"
        }
      ],
      "columns": [
        {
          "name": "keyword",
          "label": {
            "en": "Keyword",
            "zh": "关键字"
          },
          "kind": "text"
        },
        {
          "name": "username",
          "label": {
            "en": "User name",
            "zh": "用户名"
          },
          "kind": "text"
        },
        {
          "name": "from",
          "label": {
            "en": "Origin",
            "zh": "来源"
          },
          "kind": "text"
        },
        {
          "name": "addTime",
          "label": {
            "en": "Creation time",
            "zh": "创建时间"
          },
          "kind": "time",
          "sort": "add_time"
        }
      ],
      "row": [
        {
          "name": "id",
          "label": {
            "en": "Id",
            "zh": "编号"
          },
          "kind": "integer"
        },
        {
          "name": "userId",
          "label": {
            "en": "User",
            "zh": "用户"
          },
          "kind": "integer",
          "show": {
            "as": "of",
            "of": "user"
          }
        },
        {
          "name": "username",
          "label": {
            "en": "User name",
            "zh": "用户名"
          },
          "kind": "text"
        },
        {
          "name": "keyword",
          "label": {
            "en": "Keyword",
            "zh": "关键字"
          },
          "kind": "text"
        },
        {
          "name": "from",
          "label": {
            "en": "Origin",
            "zh": "来源"
          },
          "kind": "text"
        },
        {
          "name": "addTime",
          "label": {
            "en": "Creation time",
            "zh": "创建时间"
          },
          "kind": "time"
        },
        {
          "name": "updateTime",
          "label": {
            "en": "Update time",
            "zh": "更新时间"
          },
          "kind": "time"
        },
        {
          "name": "deleted",
          "label": {
            "en": "Deletion",
            "zh": "删除标记"
          },
          "kind": "boolean"
        }
      ],
      "sorts": [
        "add_time",
        "id"
      ],
      "paged": true,
      "byId": true
    },
    "acts": []
  },
  "issue": {
    "id": "issue",
    "page": "mall/issue",
    "list": {
      "path": "/admin/issue/list",
      "method": "GET",
      "permission": "admin:issue:list",
      "button": {
        "en": "Query",
        "zh": "查询"
      },
      "fields": [
        {
          "name": "question",
          "label": {
            "en": "Question",
            "zh": "问题"
          },
          "kind": "text",
          "show": {
            "as": "long"
          }
        }
      ],
      "columns": [
        {
          "name": "question",
          "label": {
            "en": "Question",
            "zh": "问题"
          },
          "kind": "text",
          "show": {
            "as": "long"
          },
          "opens": true
        },
        {
          "name": "answer",
          "label": {
            "en": "Answer",
            "zh": "答案"
          },
          "kind": "text",
          "show": {
            "as": "long"
          }
        },
        {
          "name": "updateTime",
          "label": {
            "en": "Update time",
            "zh": "更新时间"
          },
          "kind": "time"
        }
      ],
      "row": [
        {
          "name": "id",
          "label": {
            "en": "Id",
            "zh": "编号"
          },
          "kind": "integer"
        },
        {
          "name": "question",
          "label": {
            "en": "Question",
            "zh": "问题"
          },
          "kind": "text",
          "show": {
            "as": "long"
          }
        },
        {
          "name": "answer",
          "label": {
            "en": "Answer",
            "zh": "答案"
          },
          "kind": "text",
          "show": {
            "as": "long"
          }
        },
        {
          "name": "addTime",
          "label": {
            "en": "Creation time",
            "zh": "创建时间"
          },
          "kind": "time"
        },
        {
          "name": "updateTime",
          "label": {
            "en": "Update time",
            "zh": "更新时间"
          },
          "kind": "time"
        },
        {
          "name": "deleted",
          "label": {
            "en": "Deletion",
            "zh": "删除标记"
          },
          "kind": "boolean"
        }
      ],
      "sorts": [
        "add_time",
        "id"
      ],
      "paged": true
    },
    "create": {
      "path": "/admin/issue/create",
      "method": "POST",
      "permission": "admin:issue:create",
      "button": {
        "en": "Add",
        "zh": "添加"
      },
      "fields": [
        {
          "name": "question",
          "label": {
            "en": "Question",
            "zh": "问题"
          },
          "kind": "text",
          "required": true,
          "max": 255,
          "show": {
            "as": "long"
          }
        },
        {
          "name": "answer",
          "label": {
            "en": "Answer",
            "zh": "答案"
          },
          "kind": "text",
          "required": true,
          "max": 2000,
          "show": {
            "as": "long"
          }
        }
      ]
    },
    "read": {
      "path": "/admin/issue/read",
      "method": "GET",
      "permission": "admin:issue:read",
      "button": {
        "en": "Detail",
        "zh": "详情"
      },
      "fields": [
        {
          "name": "id",
          "label": {
            "en": "Id",
            "zh": "编号"
          },
          "kind": "id",
          "required": true
        }
      ]
    },
    "update": {
      "path": "/admin/issue/update",
      "method": "POST",
      "permission": "admin:issue:update",
      "button": {
        "en": "Edit",
        "zh": "编辑"
      },
      "fields": [
        {
          "name": "id",
          "label": {
            "en": "Id",
            "zh": "编号"
          },
          "kind": "id",
          "required": true
        },
        {
          "name": "expectedUpdateTime",
          "label": {
            "en": "Update time",
            "zh": "更新时间"
          },
          "kind": "text",
          "show": {
            "as": "time"
          }
        },
        {
          "name": "question",
          "label": {
            "en": "Question",
            "zh": "问题"
          },
          "kind": "text",
          "notBlank": true,
          "max": 255,
          "show": {
            "as": "long"
          }
        },
        {
          "name": "answer",
          "label": {
            "en": "Answer",
            "zh": "答案"
          },
          "kind": "text",
          "notBlank": true,
          "max": 2000,
          "show": {
            "as": "long"
          }
        }
      ]
    },
    "delete": {
      "path": "/admin/issue/delete",
      "method": "POST",
      "permission": "admin:issue:delete",
      "button": {
        "en": "Delete",
        "zh": "删除"
      },
      "fields": [
        {
          "name": "id",
          "label": {
            "en": "Id",
            "zh": "编号"
          },
          "kind": "id",
          "required": true
        }
      ]
    },
    "acts": []
  },
  "keyword": {
    "id": "keyword",
    "page": "mall/keyword",
    "list": {
      "path": "/admin/keyword/list",
      "method": "GET",
      "permission": "admin:keyword:list",
      "button": {
        "en": "Query",
        "zh": "查询"
      },
      "fields": [
        {
          "name": "keyword",
          "label": {
            "en": "Keyword",
            "zh": "关键字"
          },
          "kind": "text"
        },
        {
          "name": "url",
          "label": {
            "en": "URL",
            "zh": "网址"
          },
          "kind": "text"
        }
      ],
      "columns": [
        {
          "name": "keyword",
          "label": {
            "en": "Keyword",
            "zh": "关键字"
          },
          "kind": "text",
          "opens": true
        },
        {
          "name": "url",
          "label": {
            "en": "URL",
            "zh": "网址"
          },
          "kind": "text",
          "show": {
            "as": "link"
          }
        },
        {
          "name": "isHot",
          "label": {
            "en": "Hot",
            "zh": "热门标记"
          },
          "kind": "boolean",
          "switches": true
        },
        {
          "name": "isDefault",
          "label": {
            "en": "Default",
            "zh": "默认标记"
          },
          "kind": "boolean"
        },
        {
          "name": "sortOrder",
          "label": {
            "en": "Sort order",
            "zh": "排序"
          },
          "kind": "integer"
        },
        {
          "name": "addTime",
          "label": {
            "en": "Creation time",
            "zh": "创建时间"
          },
          "kind": "time",
          "sort": "add_time"
        }
      ],
      "row": [
        {
          "name": "id",
          "label": {
            "en": "Id",
            "zh": "编号"
          },
          "kind": "integer"
        },
        {
          "name": "keyword",
          "label": {
            "en": "Keyword",
            "zh": "关键字"
          },
          "kind": "text"
        },
        {
          "name": "url",
          "label": {
            "en": "URL",
            "zh": "网址"
          },
          "kind": "text",
          "show": {
            "as": "link"
          }
        },
        {
          "name": "isHot",
          "label": {
            "en": "Hot",
            "zh": "热门标记"
          },
          "kind": "boolean"
        },
        {
          "name": "isDefault",
          "label": {
            "en": "Default",
            "zh": "默认标记"
          },
          "kind": "boolean"
        },
        {
          "name": "sortOrder",
          "label": {
            "en": "Sort order",
            "zh": "排序"
          },
          "kind": "integer"
        },
        {
          "name": "addTime",
          "label": {
            "en": "Creation time",
            "zh": "创建时间"
          },
          "kind": "time"
        },
        {
          "name": "updateTime",
          "label": {
            "en": "Update time",
            "zh": "更新时间"
          },
          "kind": "time"
        },
        {
          "name": "deleted",
          "label": {
            "en": "Deletion",
            "zh": "删除标记"
          },
          "kind": "boolean"
        }
      ],
      "sorts": [
        "add_time",
        "id"
      ],
      "paged": true
    },
    "create": {
      "path": "/admin/keyword/create",
      "method": "POST",
      "permission": "admin:keyword:create",
      "button": {
        "en": "Add",
        "zh": "添加"
      },
      "fields": [
        {
          "name": "keyword",
          "label": {
            "en": "Keyword",
            "zh": "关键字"
          },
          "kind": "text",
          "required": true,
          "max": 127
        },
        {
          "name": "url",
          "label": {
            "en": "URL",
            "zh": "网址"
          },
          "kind": "text",
          "max": 255
        },
        {
          "name": "isHot",
          "label": {
            "en": "Hot",
            "zh": "热门标记"
          },
          "kind": "boolean"
        },
        {
          "name": "isDefault",
          "label": {
            "en": "Default",
            "zh": "默认标记"
          },
          "kind": "boolean"
        },
        {
          "name": "sortOrder",
          "label": {
            "en": "Sort order",
            "zh": "排序"
          },
          "kind": "integer",
          "min": -999999,
          "max": 999999,
          "default": "100"
        }
      ]
    },
    "read": {
      "path": "/admin/keyword/read",
      "method": "GET",
      "permission": "admin:keyword:read",
      "button": {
        "en": "Detail",
        "zh": "详情"
      },
      "fields": [
        {
          "name": "id",
          "label": {
            "en": "Id",
            "zh": "编号"
          },
          "kind": "id",
          "required": true
        }
      ]
    },
    "update": {
      "path": "/admin/keyword/update",
      "method": "POST",
      "permission": "admin:keyword:update",
      "button": {
        "en": "Edit",
        "zh": "编辑"
      },
      "fields": [
        {
          "name": "id",
          "label": {
            "en": "Id",
            "zh": "编号"
          },
          "kind": "id",
          "required": true
        },
        {
          "name": "expectedUpdateTime",
          "label": {
            "en": "Update time",
            "zh": "更新时间"
          },
          "kind": "text",
          "show": {
            "as": "time"
          }
        },
        {
          "name": "keyword",
          "label": {
            "en": "Keyword",
            "zh": "关键字"
          },
          "kind": "text",
          "notBlank": true,
          "max": 127
        },
        {
          "name": "url",
          "label": {
            "en": "URL",
            "zh": "网址"
          },
          "kind": "text",
          "max": 255
        },
        {
          "name": "isHot",
          "label": {
            "en": "Hot",
            "zh": "热门标记"
          },
          "kind": "boolean"
        },
        {
          "name": "isDefault",
          "label": {
            "en": "Default",
            "zh": "默认标记"
          },
          "kind": "boolean"
        },
        {
          "name": "sortOrder",
          "label": {
            "en": "Sort order",
            "zh": "排序"
          },
          "kind": "integer",
          "min": -999999,
          "max": 999999
        }
      ]
    },
    "delete": {
      "path": "/admin/keyword/delete",
      "method": "POST",
      "permission": "admin:keyword:delete",
      "button": {
        "en": "Delete",
        "zh": "删除"
      },
      "fields": [
        {
          "name": "id",
          "label": {
            "en": "Id",
            "zh": "编号"
          },
          "kind": "id",
          "required": true
        }
      ]
    },
    "acts": []
  },
  "log": {
    "id": "log",
    "page": "sys/log",
    "list": {
      "path": "/admin/log/list",
      "method": "GET",
      "permission": "admin:log:list",
      "button": {
        "en": "Query",
        "zh": "查询"
      },
      "fields": [
        {
          "name": "name",
          "label": {
            "en": "Name",
            "zh": "名称"
          },
          "kind": "text"
        }
      ],
      "columns": [
        {
          "name": "admin",
          "label": {
            "en": "Operator",
            "zh": "管理员"
          },
          "kind": "text"
        },
        {
          "name": "action",
          "label": {
            "en": "Action",
            "zh": "操作"
          },
          "kind": "text"
        },
        {
          "name": "result",
          "label": {
            "en": "Result",
            "zh": "结果"
          },
          "kind": "text",
          "show": {
            "as": "long"
          }
        },
        {
          "name": "status",
          "label": {
            "en": "Status",
            "zh": "状态"
          },
          "kind": "boolean",
          "show": {
            "as": "one",
            "one": [
              {
                "value": false,
                "label": {
                  "en": "failed",
                  "zh": "失败"
                }
              },
              {
                "value": true,
                "label": {
                  "en": "successful",
                  "zh": "成功"
                }
              }
            ]
          }
        },
        {
          "name": "type",
          "label": {
            "en": "Type",
            "zh": "类型"
          },
          "kind": "integer",
          "show": {
            "as": "one",
            "one": [
              {
                "value": 0,
                "label": {
                  "en": "general",
                  "zh": "一般操作"
                }
              },
              {
                "value": 1,
                "label": {
                  "en": "security",
                  "zh": "安全操作"
                }
              },
              {
                "value": 2,
                "label": {
                  "en": "orders",
                  "zh": "订单操作"
                }
              },
              {
                "value": 3,
                "label": {
                  "en": "other",
                  "zh": "其他操作"
                }
              }
            ]
          }
        },
        {
          "name": "ip",
          "label": {
            "en": "IP address",
            "zh": "IP 地址"
          },
          "kind": "text"
        },
        {
          "name": "comment",
          "label": {
            "en": "Remark",
            "zh": "说明"
          },
          "kind": "text",
          "show": {
            "as": "long"
          }
        },
        {
          "name": "addTime",
          "label": {
            "en": "Creation time",
            "zh": "创建时间"
          },
          "kind": "time",
          "sort": "add_time"
        }
      ],
      "row": [
        {
          "name": "id",
          "label": {
            "en": "Id",
            "zh": "编号"
          },
          "kind": "integer"
        },
        {
          "name": "admin",
          "label": {
            "en": "Operator",
            "zh": "管理员"
          },
          "kind": "text"
        },
        {
          "name": "ip",
          "label": {
            "en": "IP address",
            "zh": "IP 地址"
          },
          "kind": "text"
        },
        {
          "name": "type",
          "label": {
            "en": "Type",
            "zh": "类型"
          },
          "kind": "integer",
          "show": {
            "as": "one",
            "one": [
              {
                "value": 0,
                "label": {
                  "en": "general",
                  "zh": "一般操作"
                }
              },
              {
                "value": 1,
                "label": {
                  "en": "security",
                  "zh": "安全操作"
                }
              },
              {
                "value": 2,
                "label": {
                  "en": "orders",
                  "zh": "订单操作"
                }
              },
              {
                "value": 3,
                "label": {
                  "en": "other",
                  "zh": "其他操作"
                }
              }
            ]
          }
        },
        {
          "name": "action",
          "label": {
            "en": "Action",
            "zh": "操作"
          },
          "kind": "text"
        },
        {
          "name": "status",
          "label": {
            "en": "Status",
            "zh": "状态"
          },
          "kind": "boolean",
          "show": {
            "as": "one",
            "one": [
              {
                "value": false,
                "label": {
                  "en": "failed",
                  "zh": "失败"
                }
              },
              {
                "value": true,
                "label": {
                  "en": "successful",
                  "zh": "成功"
                }
              }
            ]
          }
        },
        {
          "name": "result",
          "label": {
            "en": "Result",
            "zh": "结果"
          },
          "kind": "text",
          "show": {
            "as": "long"
          }
        },
        {
          "name": "comment",
          "label": {
            "en": "Remark",
            "zh": "说明"
          },
          "kind": "text",
          "show": {
            "as": "long"
          }
        },
        {
          "name": "addTime",
          "label": {
            "en": "Creation time",
            "zh": "创建时间"
          },
          "kind": "time"
        },
        {
          "name": "updateTime",
          "label": {
            "en": "Update time",
            "zh": "更新时间"
          },
          "kind": "time"
        },
        {
          "name": "deleted",
          "label": {
            "en": "Deletion",
            "zh": "删除标记"
          },
          "kind": "boolean"
        }
      ],
      "sorts": [
        "add_time",
        "id"
      ],
      "paged": true,
      "byId": true
    },
    "acts": []
  },
  "notice": {
    "id": "notice",
    "page": "sys/notice",
    "list": {
      "path": "/admin/notice/list",
      "method": "GET",
      "permission": "admin:notice:list",
      "button": {
        "en": "Query",
        "zh": "查询"
      },
      "fields": [
        {
          "name": "title",
          "label": {
            "en": "Title",
            "zh": "标题"
          },
          "kind": "text"
        },
        {
          "name": "content",
          "label": {
            "en": "Content",
            "zh": "内容"
          },
          "kind": "text",
          "show": {
            "as": "rich"
          }
        }
      ],
      "columns": [
        {
          "name": "title",
          "label": {
            "en": "Title",
            "zh": "标题"
          },
          "kind": "text",
          "opens": true
        },
        {
          "name": "username",
          "label": {
            "en": "User name",
            "zh": "用户名"
          },
          "kind": "text"
        },
        {
          "name": "addTime",
          "label": {
            "en": "Creation time",
            "zh": "创建时间"
          },
          "kind": "time",
          "sort": "add_time"
        },
        {
          "name": "updateTime",
          "label": {
            "en": "Update time",
            "zh": "更新时间"
          },
          "kind": "time"
        }
      ],
      "row": [
        {
          "name": "id",
          "label": {
            "en": "Id",
            "zh": "编号"
          },
          "kind": "integer"
        },
        {
          "name": "title",
          "label": {
            "en": "Title",
            "zh": "标题"
          },
          "kind": "text"
        },
        {
          "name": "content",
          "label": {
            "en": "Content",
            "zh": "内容"
          },
          "kind": "text",
          "show": {
            "as": "rich"
          }
        },
        {
          "name": "adminId",
          "label": {
            "en": "Operator",
            "zh": "管理员"
          },
          "kind": "integer",
          "show": {
            "as": "of",
            "of": "admin"
          }
        },
        {
          "name": "addTime",
          "label": {
            "en": "Creation time",
            "zh": "创建时间"
          },
          "kind": "time"
        },
        {
          "name": "updateTime",
          "label": {
            "en": "Update time",
            "zh": "更新时间"
          },
          "kind": "time"
        },
        {
          "name": "deleted",
          "label": {
            "en": "Deletion",
            "zh": "删除标记"
          },
          "kind": "boolean"
        },
        {
          "name": "username",
          "label": {
            "en": "User name",
            "zh": "用户名"
          },
          "kind": "text"
        }
      ],
      "sorts": [
        "add_time",
        "id"
      ],
      "paged": true
    },
    "create": {
      "path": "/admin/notice/create",
      "method": "POST",
      "permission": "admin:notice:create",
      "button": {
        "en": "Add",
        "zh": "添加"
      },
      "fields": [
        {
          "name": "title",
          "label": {
            "en": "Title",
            "zh": "标题"
          },
          "kind": "text",
          "required": true,
          "max": 63
        },
        {
          "name": "content",
          "label": {
            "en": "Content",
            "zh": "内容"
          },
          "kind": "text",
          "max": 20000,
          "show": {
            "as": "rich"
          }
        }
      ]
    },
    "read": {
      "path": "/admin/notice/read",
      "method": "GET",
      "permission": "admin:notice:read",
      "button": {
        "en": "Detail",
        "zh": "详情"
      },
      "fields": [
        {
          "name": "id",
          "label": {
            "en": "Id",
            "zh": "编号"
          },
          "kind": "id",
          "required": true
        }
      ]
    },
    "update": {
      "path": "/admin/notice/update",
      "method": "POST",
      "permission": "admin:notice:update",
      "button": {
        "en": "Edit",
        "zh": "编辑"
      },
      "fields": [
        {
          "name": "id",
          "label": {
            "en": "Id",
            "zh": "编号"
          },
          "kind": "id",
          "required": true
        },
        {
          "name": "expectedUpdateTime",
          "label": {
            "en": "Update time",
            "zh": "更新时间"
          },
          "kind": "text",
          "show": {
            "as": "time"
          }
        },
        {
          "name": "title",
          "label": {
            "en": "Title",
            "zh": "标题"
          },
          "kind": "text",
          "notBlank": true,
          "max": 63
        },
        {
          "name": "content",
          "label": {
            "en": "Content",
            "zh": "内容"
          },
          "kind": "text",
          "max": 20000,
          "show": {
            "as": "rich"
          }
        }
      ]
    },
    "delete": {
      "path": "/admin/notice/delete",
      "method": "POST",
      "permission": "admin:notice:delete",
      "button": {
        "en": "Delete",
        "zh": "删除"
      },
      "fields": [
        {
          "name": "id",
          "label": {
            "en": "Id",
            "zh": "编号"
          },
          "kind": "id",
          "required": true
        }
      ]
    },
    "acts": [
      {
        "path": "/admin/notice/batch-delete",
        "method": "POST",
        "permission": "admin:notice:batch-delete",
        "button": {
          "en": "Delete many",
          "zh": "批量删除"
        },
        "fields": [
          {
            "name": "ids",
            "label": {
              "en": "Ids",
              "zh": "编号列表"
            },
            "kind": "list",
            "item": {
              "name": "ids",
              "label": {
                "en": "Ids",
                "zh": "编号列表"
              },
              "kind": "id"
            },
            "required": true,
            "max": 1000
          }
        ]
      }
    ]
  },
  "order": {
    "id": "order",
    "page": "mall/order",
    "list": {
      "path": "/admin/order/list",
      "method": "GET",
      "permission": "admin:order:list",
      "button": {
        "en": "Query",
        "zh": "查询"
      },
      "fields": [
        {
          "name": "nickname",
          "label": {
            "en": "Nickname",
            "zh": "昵称"
          },
          "kind": "text"
        },
        {
          "name": "consignee",
          "label": {
            "en": "Consignee",
            "zh": "收货人"
          },
          "kind": "text"
        },
        {
          "name": "orderSn",
          "label": {
            "en": "Order number",
            "zh": "订单编号"
          },
          "kind": "text"
        },
        {
          "name": "mobile",
          "label": {
            "en": "Mobile number",
            "zh": "手机号码"
          },
          "kind": "text"
        },
        {
          "name": "shipSn",
          "label": {
            "en": "Tracking number",
            "zh": "快递单号"
          },
          "kind": "text"
        },
        {
          "name": "payId",
          "label": {
            "en": "Payment number",
            "zh": "支付流水号"
          },
          "kind": "text"
        },
        {
          "name": "userId",
          "label": {
            "en": "User",
            "zh": "用户"
          },
          "kind": "id",
          "show": {
            "as": "of",
            "of": "user"
          }
        },
        {
          "name": "start",
          "label": {
            "en": "Start time",
            "zh": "开始时间"
          },
          "kind": "text",
          "show": {
            "as": "time"
          }
        },
        {
          "name": "end",
          "label": {
            "en": "End time",
            "zh": "结束时间"
          },
          "kind": "text",
          "show": {
            "as": "time"
          }
        },
        {
          "name": "orderStatusArray",
          "label": {
            "en": "Order statuses",
            "zh": "订单状态"
          },
          "kind": "list",
          "item": {
            "name": "orderStatusArray",
            "label": {
              "en": "Order statuses",
              "zh": "订单状态"
            },
            "kind": "integer"
          },
          "max": 1000,
          "show": {
            "as": "one",
            "one": [
              {
                "value": 101,
                "label": {
                  "en": "Unpaid",
                  "zh": "未付款"
                }
              },
              {
                "value": 102,
                "label": {
                  "en": "Cancelled",
                  "zh": "已取消"
                }
              },
              {
                "value": 103,
                "label": {
                  "en": "Cancelled (system)",
                  "zh": "已取消(系统)"
                }
              },
              {
                "value": 104,
                "label": {
                  "en": "Cancelled (operator)",
                  "zh": "已取消(管理员)"
                }
              },
              {
                "value": 201,
                "label": {
                  "en": "Paid",
                  "zh": "已付款"
                }
              },
              {
                "value": 202,
                "label": {
                  "en": "Refund requested",
                  "zh": "订单取消，退款中"
                }
              },
              {
                "value": 203,
                "label": {
                  "en": "Refunded",
                  "zh": "已退款"
                }
              },
              {
                "value": 204,
                "label": {
                  "en": "Group-buy expired",
                  "zh": "已超时团购"
                }
              },
              {
                "value": 301,
                "label": {
                  "en": "Shipped",
                  "zh": "已发货"
                }
              },
              {
                "value": 401,
                "label": {
                  "en": "Received",
                  "zh": "已收货"
                }
              },
              {
                "value": 402,
                "label": {
                  "en": "Received (system)",
                  "zh": "已收货(系统)"
                }
              }
            ]
          }
        }
      ],
      "columns": [
        {
          "name": "orderSn",
          "label": {
            "en": "Order number",
            "zh": "订单编号"
          },
          "kind": "text",
          "opens": true
        },
        {
          "name": "orderStatus",
          "label": {
            "en": "Status",
            "zh": "状态"
          },
          "kind": "integer",
          "show": {
            "as": "one",
            "one": [
              {
                "value": 101,
                "label": {
                  "en": "Unpaid",
                  "zh": "未付款"
                }
              },
              {
                "value": 102,
                "label": {
                  "en": "Cancelled",
                  "zh": "已取消"
                }
              },
              {
                "value": 103,
                "label": {
                  "en": "Cancelled (system)",
                  "zh": "已取消(系统)"
                }
              },
              {
                "value": 104,
                "label": {
                  "en": "Cancelled (operator)",
                  "zh": "已取消(管理员)"
                }
              },
              {
                "value": 201,
                "label": {
                  "en": "Paid",
                  "zh": "已付款"
                }
              },
              {
                "value": 202,
                "label": {
                  "en": "Refund requested",
                  "zh": "订单取消，退款中"
                }
              },
              {
                "value": 203,
                "label": {
                  "en": "Refunded",
                  "zh": "已退款"
                }
              },
              {
                "value": 204,
                "label": {
                  "en": "Group-buy expired",
                  "zh": "已超时团购"
                }
              },
              {
                "value": 301,
                "label": {
                  "en": "Shipped",
                  "zh": "已发货"
                }
              },
              {
                "value": 401,
                "label": {
                  "en": "Received",
                  "zh": "已收货"
                }
              },
              {
                "value": 402,
                "label": {
                  "en": "Received (system)",
                  "zh": "已收货(系统)"
                }
              }
            ]
          }
        },
        {
          "name": "consignee",
          "label": {
            "en": "Consignee",
            "zh": "收货人"
          },
          "kind": "text"
        },
        {
          "name": "mobile",
          "label": {
            "en": "Mobile number",
            "zh": "手机号码"
          },
          "kind": "text"
        },
        {
          "name": "actualPrice",
          "label": {
            "en": "Amount charged",
            "zh": "实付金额"
          },
          "kind": "money"
        },
        {
          "name": "shipSn",
          "label": {
            "en": "Tracking number",
            "zh": "快递单号"
          },
          "kind": "text"
        },
        {
          "name": "addTime",
          "label": {
            "en": "Creation time",
            "zh": "创建时间"
          },
          "kind": "time",
          "sort": "add_time"
        }
      ],
      "row": [
        {
          "name": "id",
          "label": {
            "en": "Id",
            "zh": "编号"
          },
          "kind": "integer"
        },
        {
          "name": "orderSn",
          "label": {
            "en": "Order number",
            "zh": "订单编号"
          },
          "kind": "text"
        },
        {
          "name": "orderStatus",
          "label": {
            "en": "Status",
            "zh": "状态"
          },
          "kind": "integer",
          "show": {
            "as": "one",
            "one": [
              {
                "value": 101,
                "label": {
                  "en": "Unpaid",
                  "zh": "未付款"
                }
              },
              {
                "value": 102,
                "label": {
                  "en": "Cancelled",
                  "zh": "已取消"
                }
              },
              {
                "value": 103,
                "label": {
                  "en": "Cancelled (system)",
                  "zh": "已取消(系统)"
                }
              },
              {
                "value": 104,
                "label": {
                  "en": "Cancelled (operator)",
                  "zh": "已取消(管理员)"
                }
              },
              {
                "value": 201,
                "label": {
                  "en": "Paid",
                  "zh": "已付款"
                }
              },
              {
                "value": 202,
                "label": {
                  "en": "Refund requested",
                  "zh": "订单取消，退款中"
                }
              },
              {
                "value": 203,
                "label": {
                  "en": "Refunded",
                  "zh": "已退款"
                }
              },
              {
                "value": 204,
                "label": {
                  "en": "Group-buy expired",
                  "zh": "已超时团购"
                }
              },
              {
                "value": 301,
                "label": {
                  "en": "Shipped",
                  "zh": "已发货"
                }
              },
              {
                "value": 401,
                "label": {
                  "en": "Received",
                  "zh": "已收货"
                }
              },
              {
                "value": 402,
                "label": {
                  "en": "Received (system)",
                  "zh": "已收货(系统)"
                }
              }
            ]
          }
        },
        {
          "name": "actualPrice",
          "label": {
            "en": "Amount charged",
            "zh": "实付金额"
          },
          "kind": "money"
        },
        {
          "name": "integralPrice",
          "label": {
            "en": "Points deducted",
            "zh": "积分减免"
          },
          "kind": "money"
        },
        {
          "name": "freightPrice",
          "label": {
            "en": "Freight",
            "zh": "运费"
          },
          "kind": "money"
        },
        {
          "name": "orderPrice",
          "label": {
            "en": "Order amount",
            "zh": "订单金额"
          },
          "kind": "money"
        },
        {
          "name": "addTime",
          "label": {
            "en": "Creation time",
            "zh": "创建时间"
          },
          "kind": "time"
        },
        {
          "name": "payTime",
          "label": {
            "en": "Time of payment",
            "zh": "付款时间"
          },
          "kind": "time"
        },
        {
          "name": "userId",
          "label": {
            "en": "User",
            "zh": "用户"
          },
          "kind": "integer",
          "show": {
            "as": "of",
            "of": "user"
          }
        },
        {
          "name": "userName",
          "label": {
            "en": "User name",
            "zh": "用户名"
          },
          "kind": "text"
        },
        {
          "name": "userAvatar",
          "label": {
            "en": "Avatar",
            "zh": "头像"
          },
          "kind": "text",
          "show": {
            "as": "picture"
          }
        },
        {
          "name": "avatar",
          "label": {
            "en": "Avatar",
            "zh": "头像"
          },
          "kind": "text",
          "show": {
            "as": "picture"
          }
        },
        {
          "name": "consignee",
          "label": {
            "en": "Consignee",
            "zh": "收货人"
          },
          "kind": "text"
        },
        {
          "name": "address",
          "label": {
            "en": "Address",
            "zh": "收货地址"
          },
          "kind": "text"
        },
        {
          "name": "mobile",
          "label": {
            "en": "Mobile number",
            "zh": "手机号码"
          },
          "kind": "text"
        },
        {
          "name": "shipChannel",
          "label": {
            "en": "Carrier",
            "zh": "快递公司"
          },
          "kind": "text"
        },
        {
          "name": "shipSn",
          "label": {
            "en": "Tracking number",
            "zh": "快递单号"
          },
          "kind": "text"
        },
        {
          "name": "message",
          "label": {
            "en": "Message",
            "zh": "留言"
          },
          "kind": "text",
          "show": {
            "as": "long"
          }
        },
        {
          "name": "goodsVoList",
          "label": {
            "en": "Order lines",
            "zh": "商品明细"
          },
          "kind": "list"
        }
      ],
      "sorts": [
        "add_time",
        "id"
      ],
      "paged": true
    },
    "read": {
      "path": "/admin/order/detail",
      "method": "GET",
      "permission": "admin:order:read",
      "button": {
        "en": "Detail",
        "zh": "详情"
      },
      "fields": [
        {
          "name": "id",
          "label": {
            "en": "Id",
            "zh": "编号"
          },
          "kind": "id",
          "required": true
        }
      ]
    },
    "delete": {
      "path": "/admin/order/delete",
      "method": "POST",
      "permission": "admin:order:delete",
      "button": {
        "en": "Delete",
        "zh": "订单删除"
      },
      "fields": [
        {
          "name": "orderId",
          "label": {
            "en": "Order",
            "zh": "订单"
          },
          "kind": "id",
          "required": true,
          "show": {
            "as": "of",
            "of": "order"
          }
        }
      ]
    },
    "acts": [
      {
        "path": "/admin/order/export",
        "method": "GET",
        "permission": "admin:order:export",
        "button": {
          "en": "Export",
          "zh": "导出"
        },
        "fields": [
          {
            "name": "nickname",
            "label": {
              "en": "Nickname",
              "zh": "昵称"
            },
            "kind": "text"
          },
          {
            "name": "consignee",
            "label": {
              "en": "Consignee",
              "zh": "收货人"
            },
            "kind": "text"
          },
          {
            "name": "orderSn",
            "label": {
              "en": "Order number",
              "zh": "订单编号"
            },
            "kind": "text"
          },
          {
            "name": "mobile",
            "label": {
              "en": "Mobile number",
              "zh": "手机号码"
            },
            "kind": "text"
          },
          {
            "name": "shipSn",
            "label": {
              "en": "Tracking number",
              "zh": "快递单号"
            },
            "kind": "text"
          },
          {
            "name": "payId",
            "label": {
              "en": "Payment number",
              "zh": "支付流水号"
            },
            "kind": "text"
          },
          {
            "name": "userId",
            "label": {
              "en": "User",
              "zh": "用户"
            },
            "kind": "id",
            "show": {
              "as": "of",
              "of": "user"
            }
          },
          {
            "name": "start",
            "label": {
              "en": "Start time",
              "zh": "开始时间"
            },
            "kind": "text",
            "show": {
              "as": "time"
            }
          },
          {
            "name": "end",
            "label": {
              "en": "End time",
              "zh": "结束时间"
            },
            "kind": "text",
            "show": {
              "as": "time"
            }
          },
          {
            "name": "orderStatusArray",
            "label": {
              "en": "Order statuses",
              "zh": "订单状态"
            },
            "kind": "list",
            "item": {
              "name": "orderStatusArray",
              "label": {
                "en": "Order statuses",
                "zh": "订单状态"
              },
              "kind": "integer"
            },
            "max": 1000,
            "show": {
              "as": "one",
              "one": [
                {
                  "value": 101,
                  "label": {
                    "en": "Unpaid",
                    "zh": "未付款"
                  }
                },
                {
                  "value": 102,
                  "label": {
                    "en": "Cancelled",
                    "zh": "已取消"
                  }
                },
                {
                  "value": 103,
                  "label": {
                    "en": "Cancelled (system)",
                    "zh": "已取消(系统)"
                  }
                },
                {
                  "value": 104,
                  "label": {
                    "en": "Cancelled (operator)",
                    "zh": "已取消(管理员)"
                  }
                },
                {
                  "value": 201,
                  "label": {
                    "en": "Paid",
                    "zh": "已付款"
                  }
                },
                {
                  "value": 202,
                  "label": {
                    "en": "Refund requested",
                    "zh": "订单取消，退款中"
                  }
                },
                {
                  "value": 203,
                  "label": {
                    "en": "Refunded",
                    "zh": "已退款"
                  }
                },
                {
                  "value": 204,
                  "label": {
                    "en": "Group-buy expired",
                    "zh": "已超时团购"
                  }
                },
                {
                  "value": 301,
                  "label": {
                    "en": "Shipped",
                    "zh": "已发货"
                  }
                },
                {
                  "value": 401,
                  "label": {
                    "en": "Received",
                    "zh": "已收货"
                  }
                },
                {
                  "value": 402,
                  "label": {
                    "en": "Received (system)",
                    "zh": "已收货(系统)"
                  }
                }
              ]
            }
          }
        ]
      },
      {
        "path": "/admin/order/ship",
        "method": "POST",
        "permission": "admin:order:ship",
        "button": {
          "en": "Ship",
          "zh": "订单发货"
        },
        "fields": [
          {
            "name": "orderId",
            "label": {
              "en": "Order",
              "zh": "订单"
            },
            "kind": "id",
            "required": true,
            "show": {
              "as": "of",
              "of": "order"
            }
          },
          {
            "name": "shipChannel",
            "label": {
              "en": "Carrier",
              "zh": "快递公司"
            },
            "kind": "text",
            "required": true,
            "max": 63
          },
          {
            "name": "shipSn",
            "label": {
              "en": "Tracking number",
              "zh": "快递单号"
            },
            "kind": "text",
            "required": true,
            "max": 63
          }
        ]
      },
      {
        "path": "/admin/order/reship",
        "method": "POST",
        "permission": "admin:order:reship",
        "button": {
          "en": "Correct parcel",
          "zh": "修改运单"
        },
        "fields": [
          {
            "name": "orderId",
            "label": {
              "en": "Order",
              "zh": "订单"
            },
            "kind": "id",
            "required": true,
            "show": {
              "as": "of",
              "of": "order"
            }
          },
          {
            "name": "shipChannel",
            "label": {
              "en": "Carrier",
              "zh": "快递公司"
            },
            "kind": "text",
            "required": true,
            "max": 63
          },
          {
            "name": "shipSn",
            "label": {
              "en": "Tracking number",
              "zh": "快递单号"
            },
            "kind": "text",
            "required": true,
            "max": 63
          }
        ]
      },
      {
        "path": "/admin/order/refund",
        "method": "POST",
        "permission": "admin:order:refund",
        "button": {
          "en": "Refund",
          "zh": "订单退款"
        },
        "fields": [
          {
            "name": "orderId",
            "label": {
              "en": "Order",
              "zh": "订单"
            },
            "kind": "id",
            "required": true,
            "show": {
              "as": "of",
              "of": "order"
            }
          },
          {
            "name": "refundMoney",
            "label": {
              "en": "Refund amount",
              "zh": "退款金额"
            },
            "kind": "decimal",
            "required": true,
            "min": 0.00,
            "max": 9999999999.99
          }
        ]
      },
      {
        "path": "/admin/order/reject",
        "method": "POST",
        "permission": "admin:order:reject",
        "button": {
          "en": "Reject refund",
          "zh": "拒绝退款"
        },
        "fields": [
          {
            "name": "orderId",
            "label": {
              "en": "Order",
              "zh": "订单"
            },
            "kind": "id",
            "required": true,
            "show": {
              "as": "of",
              "of": "order"
            }
          },
          {
            "name": "reason",
            "label": {
              "en": "Reason",
              "zh": "原因"
            },
            "kind": "text",
            "max": 127,
            "show": {
              "as": "long"
            }
          }
        ]
      },
      {
        "path": "/admin/order/pay",
        "method": "POST",
        "permission": "admin:order:pay",
        "button": {
          "en": "Collect payment",
          "zh": "订单收款"
        },
        "fields": [
          {
            "name": "orderId",
            "label": {
              "en": "Order",
              "zh": "订单"
            },
            "kind": "id",
            "required": true,
            "show": {
              "as": "of",
              "of": "order"
            }
          },
          {
            "name": "newMoney",
            "label": {
              "en": "Amount paid",
              "zh": "实付金额"
            },
            "kind": "decimal",
            "required": true,
            "min": 0.00,
            "max": 9999999999.99
          }
        ]
      },
      {
        "path": "/admin/order/reply",
        "method": "POST",
        "permission": "admin:order:reply",
        "button": {
          "en": "Reply to comment",
          "zh": "订单商品回复"
        },
        "fields": [
          {
            "name": "commentId",
            "label": {
              "en": "Comment",
              "zh": "评论"
            },
            "kind": "id",
            "required": true
          },
          {
            "name": "content",
            "label": {
              "en": "Content",
              "zh": "内容"
            },
            "kind": "text",
            "required": true,
            "max": 511
          }
        ]
      }
    ]
  },
  "role": {
    "id": "role",
    "page": "sys/role",
    "list": {
      "path": "/admin/role/list",
      "method": "GET",
      "permission": "admin:role:list",
      "button": {
        "en": "Query",
        "zh": "角色查询"
      },
      "fields": [
        {
          "name": "name",
          "label": {
            "en": "Name",
            "zh": "名称"
          },
          "kind": "text"
        }
      ],
      "columns": [
        {
          "name": "name",
          "label": {
            "en": "Name",
            "zh": "名称"
          },
          "kind": "text",
          "opens": true
        },
        {
          "name": "desc",
          "label": {
            "en": "Description",
            "zh": "描述"
          },
          "kind": "text",
          "show": {
            "as": "long"
          }
        },
        {
          "name": "enabled",
          "label": {
            "en": "Enabled",
            "zh": "启用状态"
          },
          "kind": "boolean",
          "switches": true
        },
        {
          "name": "updateTime",
          "label": {
            "en": "Update time",
            "zh": "更新时间"
          },
          "kind": "time"
        }
      ],
      "row": [
        {
          "name": "id",
          "label": {
            "en": "Id",
            "zh": "编号"
          },
          "kind": "integer"
        },
        {
          "name": "name",
          "label": {
            "en": "Name",
            "zh": "名称"
          },
          "kind": "text"
        },
        {
          "name": "desc",
          "label": {
            "en": "Description",
            "zh": "描述"
          },
          "kind": "text",
          "show": {
            "as": "long"
          }
        },
        {
          "name": "enabled",
          "label": {
            "en": "Enabled",
            "zh": "启用状态"
          },
          "kind": "boolean"
        },
        {
          "name": "addTime",
          "label": {
            "en": "Creation time",
            "zh": "创建时间"
          },
          "kind": "time"
        },
        {
          "name": "updateTime",
          "label": {
            "en": "Update time",
            "zh": "更新时间"
          },
          "kind": "time"
        },
        {
          "name": "deleted",
          "label": {
            "en": "Deletion",
            "zh": "删除标记"
          },
          "kind": "boolean"
        }
      ],
      "sorts": [
        "add_time",
        "id"
      ],
      "paged": true
    },
    "create": {
      "path": "/admin/role/create",
      "method": "POST",
      "permission": "admin:role:create",
      "button": {
        "en": "Add",
        "zh": "角色添加"
      },
      "fields": [
        {
          "name": "name",
          "label": {
            "en": "Name",
            "zh": "名称"
          },
          "kind": "text",
          "required": true,
          "max": 63
        },
        {
          "name": "desc",
          "label": {
            "en": "Description",
            "zh": "描述"
          },
          "kind": "text",
          "max": 1023,
          "show": {
            "as": "long"
          }
        },
        {
          "name": "enabled",
          "label": {
            "en": "Enabled",
            "zh": "启用状态"
          },
          "kind": "boolean",
          "default": "true"
        }
      ]
    },
    "read": {
      "path": "/admin/role/read",
      "method": "GET",
      "permission": "admin:role:read",
      "button": {
        "en": "Detail",
        "zh": "角色详情"
      },
      "fields": [
        {
          "name": "id",
          "label": {
            "en": "Id",
            "zh": "编号"
          },
          "kind": "id",
          "required": true
        }
      ]
    },
    "update": {
      "path": "/admin/role/update",
      "method": "POST",
      "permission": "admin:role:update",
      "button": {
        "en": "Edit",
        "zh": "角色编辑"
      },
      "fields": [
        {
          "name": "id",
          "label": {
            "en": "Id",
            "zh": "编号"
          },
          "kind": "id",
          "required": true
        },
        {
          "name": "expectedUpdateTime",
          "label": {
            "en": "Update time",
            "zh": "更新时间"
          },
          "kind": "text",
          "show": {
            "as": "time"
          }
        },
        {
          "name": "name",
          "label": {
            "en": "Name",
            "zh": "名称"
          },
          "kind": "text",
          "notBlank": true,
          "max": 63
        },
        {
          "name": "desc",
          "label": {
            "en": "Description",
            "zh": "描述"
          },
          "kind": "text",
          "max": 1023,
          "show": {
            "as": "long"
          }
        },
        {
          "name": "enabled",
          "label": {
            "en": "Enabled",
            "zh": "启用状态"
          },
          "kind": "boolean"
        }
      ]
    },
    "delete": {
      "path": "/admin/role/delete",
      "method": "POST",
      "permission": "admin:role:delete",
      "button": {
        "en": "Delete",
        "zh": "角色删除"
      },
      "fields": [
        {
          "name": "id",
          "label": {
            "en": "Id",
            "zh": "编号"
          },
          "kind": "id",
          "required": true
        }
      ]
    },
    "acts": [
      {
        "path": "/admin/role/permissions",
        "method": "GET",
        "permission": "admin:role:permission-get",
        "button": {
          "en": "Permission detail",
          "zh": "权限详情"
        },
        "fields": [
          {
            "name": "roleId",
            "label": {
              "en": "Role",
              "zh": "角色"
            },
            "kind": "id",
            "show": {
              "as": "of",
              "of": "role"
            }
          }
        ]
      },
      {
        "path": "/admin/role/permissions",
        "method": "POST",
        "permission": "admin:role:permission-update",
        "button": {
          "en": "Change permissions",
          "zh": "权限变更"
        },
        "fields": [
          {
            "name": "roleId",
            "label": {
              "en": "Role",
              "zh": "角色"
            },
            "kind": "id",
            "required": true,
            "show": {
              "as": "of",
              "of": "role"
            }
          },
          {
            "name": "permissions",
            "label": {
              "en": "Permissions",
              "zh": "权限"
            },
            "kind": "list",
            "item": {
              "name": "permissions",
              "label": {
                "en": "Permissions",
                "zh": "权限"
              },
              "kind": "text"
            },
            "required": true,
            "max": 1000
          }
        ]
      }
    ]
  },
  "stat": {
    "id": "stat",
    "page": "stat/user",
    "acts": [
      {
        "path": "/admin/stat/user",
        "method": "GET",
        "permission": "admin:stat:user",
        "button": {
          "en": "Query",
          "zh": "查询"
        },
        "fields": []
      },
      {
        "path": "/admin/stat/order",
        "method": "GET",
        "permission": "admin:stat:order",
        "button": {
          "en": "Query",
          "zh": "查询"
        },
        "fields": []
      },
      {
        "path": "/admin/stat/goods",
        "method": "GET",
        "permission": "admin:stat:goods",
        "button": {
          "en": "Query",
          "zh": "查询"
        },
        "fields": []
      }
    ]
  },
  "storage": {
    "id": "storage",
    "page": "sys/storage",
    "list": {
      "path": "/admin/storage/list",
      "method": "GET",
      "permission": "admin:storage:list",
      "button": {
        "en": "Query",
        "zh": "查询"
      },
      "fields": [
        {
          "name": "key",
          "label": {
            "en": "File key",
            "zh": "文件名称"
          },
          "kind": "text"
        },
        {
          "name": "name",
          "label": {
            "en": "Name",
            "zh": "名称"
          },
          "kind": "text"
        }
      ],
      "columns": [
        {
          "name": "url",
          "label": {
            "en": "URL",
            "zh": "网址"
          },
          "kind": "text",
          "show": {
            "as": "link"
          }
        },
        {
          "name": "name",
          "label": {
            "en": "Name",
            "zh": "名称"
          },
          "kind": "text",
          "opens": true
        },
        {
          "name": "type",
          "label": {
            "en": "Type",
            "zh": "类型"
          },
          "kind": "text"
        },
        {
          "name": "size",
          "label": {
            "en": "Size in bytes",
            "zh": "文件大小（字节）"
          },
          "kind": "integer"
        },
        {
          "name": "key",
          "label": {
            "en": "File key",
            "zh": "文件名称"
          },
          "kind": "text"
        },
        {
          "name": "addTime",
          "label": {
            "en": "Creation time",
            "zh": "创建时间"
          },
          "kind": "time",
          "sort": "add_time"
        }
      ],
      "row": [
        {
          "name": "id",
          "label": {
            "en": "Id",
            "zh": "编号"
          },
          "kind": "integer"
        },
        {
          "name": "key",
          "label": {
            "en": "File key",
            "zh": "文件名称"
          },
          "kind": "text"
        },
        {
          "name": "name",
          "label": {
            "en": "Name",
            "zh": "名称"
          },
          "kind": "text"
        },
        {
          "name": "type",
          "label": {
            "en": "Type",
            "zh": "类型"
          },
          "kind": "text"
        },
        {
          "name": "size",
          "label": {
            "en": "Size in bytes",
            "zh": "文件大小（字节）"
          },
          "kind": "integer"
        },
        {
          "name": "url",
          "label": {
            "en": "URL",
            "zh": "网址"
          },
          "kind": "text",
          "show": {
            "as": "link"
          }
        },
        {
          "name": "addTime",
          "label": {
            "en": "Creation time",
            "zh": "创建时间"
          },
          "kind": "time"
        },
        {
          "name": "updateTime",
          "label": {
            "en": "Update time",
            "zh": "更新时间"
          },
          "kind": "time"
        },
        {
          "name": "deleted",
          "label": {
            "en": "Deletion",
            "zh": "删除标记"
          },
          "kind": "boolean"
        }
      ],
      "sorts": [
        "add_time",
        "id"
      ],
      "paged": true
    },
    "create": {
      "path": "/admin/storage/create",
      "method": "POST",
      "permission": "admin:storage:create",
      "button": {
        "en": "Upload",
        "zh": "上传"
      },
      "fields": [],
      "limit": 20971520
    },
    "read": {
      "path": "/admin/storage/read",
      "method": "GET",
      "permission": "admin:storage:read",
      "button": {
        "en": "Detail",
        "zh": "详情"
      },
      "fields": [
        {
          "name": "id",
          "label": {
            "en": "Id",
            "zh": "编号"
          },
          "kind": "id",
          "required": true
        }
      ]
    },
    "update": {
      "path": "/admin/storage/update",
      "method": "POST",
      "permission": "admin:storage:update",
      "button": {
        "en": "Edit",
        "zh": "编辑"
      },
      "fields": [
        {
          "name": "id",
          "label": {
            "en": "Id",
            "zh": "编号"
          },
          "kind": "id",
          "required": true
        },
        {
          "name": "expectedUpdateTime",
          "label": {
            "en": "Update time",
            "zh": "更新时间"
          },
          "kind": "text",
          "show": {
            "as": "time"
          }
        },
        {
          "name": "name",
          "label": {
            "en": "Name",
            "zh": "名称"
          },
          "kind": "text",
          "max": 255
        }
      ]
    },
    "delete": {
      "path": "/admin/storage/delete",
      "method": "POST",
      "permission": "admin:storage:delete",
      "button": {
        "en": "Delete",
        "zh": "删除"
      },
      "fields": [
        {
          "name": "key",
          "label": {
            "en": "File key",
            "zh": "文件名称"
          },
          "kind": "text",
          "required": true
        }
      ]
    },
    "acts": []
  },
  "topic": {
    "id": "topic",
    "page": "promotion/topic",
    "list": {
      "path": "/admin/topic/list",
      "method": "GET",
      "permission": "admin:topic:list",
      "button": {
        "en": "Query",
        "zh": "查询"
      },
      "fields": [
        {
          "name": "title",
          "label": {
            "en": "Title",
            "zh": "标题"
          },
          "kind": "text"
        },
        {
          "name": "subtitle",
          "label": {
            "en": "Subtitle",
            "zh": "副标题"
          },
          "kind": "text"
        }
      ],
      "columns": [
        {
          "name": "picUrl",
          "label": {
            "en": "Picture",
            "zh": "图片"
          },
          "kind": "text",
          "show": {
            "as": "picture"
          }
        },
        {
          "name": "title",
          "label": {
            "en": "Title",
            "zh": "标题"
          },
          "kind": "text",
          "opens": true
        },
        {
          "name": "subtitle",
          "label": {
            "en": "Subtitle",
            "zh": "副标题"
          },
          "kind": "text"
        },
        {
          "name": "price",
          "label": {
            "en": "Price",
            "zh": "价格"
          },
          "kind": "money",
          "sort": "price"
        },
        {
          "name": "readCount",
          "label": {
            "en": "View count",
            "zh": "阅读量"
          },
          "kind": "text"
        },
        {
          "name": "sortOrder",
          "label": {
            "en": "Sort order",
            "zh": "排序"
          },
          "kind": "integer"
        },
        {
          "name": "updateTime",
          "label": {
            "en": "Update time",
            "zh": "更新时间"
          },
          "kind": "time"
        }
      ],
      "row": [
        {
          "name": "id",
          "label": {
            "en": "Id",
            "zh": "编号"
          },
          "kind": "integer"
        },
        {
          "name": "title",
          "label": {
            "en": "Title",
            "zh": "标题"
          },
          "kind": "text"
        },
        {
          "name": "subtitle",
          "label": {
            "en": "Subtitle",
            "zh": "副标题"
          },
          "kind": "text"
        },
        {
          "name": "content",
          "label": {
            "en": "Content",
            "zh": "内容"
          },
          "kind": "text",
          "show": {
            "as": "rich"
          }
        },
        {
          "name": "price",
          "label": {
            "en": "Price",
            "zh": "价格"
          },
          "kind": "money"
        },
        {
          "name": "readCount",
          "label": {
            "en": "View count",
            "zh": "阅读量"
          },
          "kind": "text"
        },
        {
          "name": "picUrl",
          "label": {
            "en": "Picture",
            "zh": "图片"
          },
          "kind": "text",
          "show": {
            "as": "picture"
          }
        },
        {
          "name": "sortOrder",
          "label": {
            "en": "Sort order",
            "zh": "排序"
          },
          "kind": "integer"
        },
        {
          "name": "goods",
          "label": {
            "en": "Goods",
            "zh": "商品"
          },
          "kind": "list",
          "show": {
            "as": "of",
            "of": "goods"
          }
        },
        {
          "name": "addTime",
          "label": {
            "en": "Creation time",
            "zh": "创建时间"
          },
          "kind": "time"
        },
        {
          "name": "updateTime",
          "label": {
            "en": "Update time",
            "zh": "更新时间"
          },
          "kind": "time"
        },
        {
          "name": "deleted",
          "label": {
            "en": "Deletion",
            "zh": "删除标记"
          },
          "kind": "boolean"
        }
      ],
      "sorts": [
        "add_time",
        "id",
        "price"
      ],
      "paged": true
    },
    "create": {
      "path": "/admin/topic/create",
      "method": "POST",
      "permission": "admin:topic:create",
      "button": {
        "en": "Add",
        "zh": "添加"
      },
      "fields": [
        {
          "name": "title",
          "label": {
            "en": "Title",
            "zh": "标题"
          },
          "kind": "text",
          "required": true,
          "max": 255
        },
        {
          "name": "subtitle",
          "label": {
            "en": "Subtitle",
            "zh": "副标题"
          },
          "kind": "text",
          "max": 255
        },
        {
          "name": "content",
          "label": {
            "en": "Content",
            "zh": "内容"
          },
          "kind": "text",
          "required": true,
          "show": {
            "as": "rich"
          }
        },
        {
          "name": "price",
          "label": {
            "en": "Price",
            "zh": "价格"
          },
          "kind": "decimal",
          "required": true,
          "min": 0.00,
          "max": 9999999.99
        },
        {
          "name": "readCount",
          "label": {
            "en": "View count",
            "zh": "阅读量"
          },
          "kind": "text",
          "max": 255,
          "default": "0"
        },
        {
          "name": "picUrl",
          "label": {
            "en": "Picture",
            "zh": "图片"
          },
          "kind": "text",
          "max": 255,
          "show": {
            "as": "picture"
          }
        },
        {
          "name": "sortOrder",
          "label": {
            "en": "Sort order",
            "zh": "排序"
          },
          "kind": "integer",
          "min": -999999,
          "max": 999999,
          "default": "100"
        },
        {
          "name": "goods",
          "label": {
            "en": "Goods",
            "zh": "商品"
          },
          "kind": "list",
          "item": {
            "name": "goods",
            "label": {
              "en": "Goods",
              "zh": "商品"
            },
            "kind": "id"
          },
          "max": 1000,
          "show": {
            "as": "of",
            "of": "goods"
          }
        }
      ]
    },
    "read": {
      "path": "/admin/topic/read",
      "method": "GET",
      "permission": "admin:topic:read",
      "button": {
        "en": "Detail",
        "zh": "详情"
      },
      "fields": [
        {
          "name": "id",
          "label": {
            "en": "Id",
            "zh": "编号"
          },
          "kind": "id",
          "required": true
        }
      ]
    },
    "update": {
      "path": "/admin/topic/update",
      "method": "POST",
      "permission": "admin:topic:update",
      "button": {
        "en": "Edit",
        "zh": "编辑"
      },
      "fields": [
        {
          "name": "id",
          "label": {
            "en": "Id",
            "zh": "编号"
          },
          "kind": "id",
          "required": true
        },
        {
          "name": "title",
          "label": {
            "en": "Title",
            "zh": "标题"
          },
          "kind": "text",
          "notBlank": true,
          "max": 255
        },
        {
          "name": "subtitle",
          "label": {
            "en": "Subtitle",
            "zh": "副标题"
          },
          "kind": "text",
          "max": 255
        },
        {
          "name": "content",
          "label": {
            "en": "Content",
            "zh": "内容"
          },
          "kind": "text",
          "notBlank": true,
          "show": {
            "as": "rich"
          }
        },
        {
          "name": "price",
          "label": {
            "en": "Price",
            "zh": "价格"
          },
          "kind": "decimal",
          "min": 0.00,
          "max": 9999999.99
        },
        {
          "name": "readCount",
          "label": {
            "en": "View count",
            "zh": "阅读量"
          },
          "kind": "text",
          "max": 255
        },
        {
          "name": "picUrl",
          "label": {
            "en": "Picture",
            "zh": "图片"
          },
          "kind": "text",
          "max": 255,
          "show": {
            "as": "picture"
          }
        },
        {
          "name": "sortOrder",
          "label": {
            "en": "Sort order",
            "zh": "排序"
          },
          "kind": "integer",
          "min": -999999,
          "max": 999999
        },
        {
          "name": "goods",
          "label": {
            "en": "Goods",
            "zh": "商品"
          },
          "kind": "list",
          "item": {
            "name": "goods",
            "label": {
              "en": "Goods",
              "zh": "商品"
            },
            "kind": "id"
          },
          "max": 1000,
          "show": {
            "as": "of",
            "of": "goods"
          }
        },
        {
          "name": "updateTime",
          "label": {
            "en": "Update time",
            "zh": "更新时间"
          },
          "kind": "text"
        }
      ]
    },
    "delete": {
      "path": "/admin/topic/delete",
      "method": "POST",
      "permission": "admin:topic:delete",
      "button": {
        "en": "Delete",
        "zh": "删除"
      },
      "fields": [
        {
          "name": "id",
          "label": {
            "en": "Id",
            "zh": "编号"
          },
          "kind": "id",
          "required": true
        }
      ]
    },
    "acts": [
      {
        "path": "/admin/topic/batch-delete",
        "method": "POST",
        "permission": "admin:topic:batch-delete",
        "button": {
          "en": "Delete many",
          "zh": "批量删除"
        },
        "fields": [
          {
            "name": "ids",
            "label": {
              "en": "Ids",
              "zh": "编号列表"
            },
            "kind": "list",
            "item": {
              "name": "ids",
              "label": {
                "en": "Ids",
                "zh": "编号列表"
              },
              "kind": "id"
            },
            "required": true,
            "max": 1000
          }
        ]
      }
    ]
  },
  "user": {
    "id": "user",
    "page": "user/user",
    "list": {
      "path": "/admin/user/list",
      "method": "GET",
      "permission": "admin:user:list",
      "button": {
        "en": "Query",
        "zh": "查询"
      },
      "fields": [
        {
          "name": "username",
          "label": {
            "en": "User name",
            "zh": "用户名"
          },
          "kind": "text"
        },
        {
          "name": "mobile",
          "label": {
            "en": "Mobile number",
            "zh": "手机号码"
          },
          "kind": "text"
        }
      ],
      "columns": [
        {
          "name": "avatar",
          "label": {
            "en": "Avatar",
            "zh": "头像"
          },
          "kind": "text",
          "show": {
            "as": "picture"
          }
        },
        {
          "name": "nickname",
          "label": {
            "en": "Nickname",
            "zh": "昵称"
          },
          "kind": "text",
          "opens": true
        },
        {
          "name": "username",
          "label": {
            "en": "User name",
            "zh": "用户名"
          },
          "kind": "text"
        },
        {
          "name": "mobile",
          "label": {
            "en": "Mobile number",
            "zh": "手机号码"
          },
          "kind": "text"
        },
        {
          "name": "gender",
          "label": {
            "en": "Gender",
            "zh": "性别"
          },
          "kind": "integer",
          "show": {
            "as": "one",
            "one": [
              {
                "value": 0,
                "label": {
                  "en": "unknown",
                  "zh": "未知"
                }
              },
              {
                "value": 1,
                "label": {
                  "en": "male",
                  "zh": "男"
                }
              },
              {
                "value": 2,
                "label": {
                  "en": "female",
                  "zh": "女"
                }
              }
            ]
          }
        },
        {
          "name": "userLevel",
          "label": {
            "en": "User level",
            "zh": "用户等级"
          },
          "kind": "integer",
          "show": {
            "as": "one",
            "one": [
              {
                "value": 0,
                "label": {
                  "en": "regular",
                  "zh": "普通用户"
                }
              },
              {
                "value": 1,
                "label": {
                  "en": "VIP",
                  "zh": "VIP用户"
                }
              },
              {
                "value": 2,
                "label": {
                  "en": "senior VIP",
                  "zh": "高级VIP用户"
                }
              }
            ]
          }
        },
        {
          "name": "status",
          "label": {
            "en": "Status",
            "zh": "状态"
          },
          "kind": "integer",
          "show": {
            "as": "one",
            "one": [
              {
                "value": 0,
                "label": {
                  "en": "active",
                  "zh": "可用"
                }
              },
              {
                "value": 1,
                "label": {
                  "en": "disabled",
                  "zh": "禁用"
                }
              },
              {
                "value": 2,
                "label": {
                  "en": "closed",
                  "zh": "注销"
                }
              }
            ]
          }
        },
        {
          "name": "addTime",
          "label": {
            "en": "Creation time",
            "zh": "创建时间"
          },
          "kind": "time",
          "sort": "add_time"
        }
      ],
      "row": [
        {
          "name": "id",
          "label": {
            "en": "Id",
            "zh": "编号"
          },
          "kind": "integer"
        },
        {
          "name": "username",
          "label": {
            "en": "User name",
            "zh": "用户名"
          },
          "kind": "text"
        },
        {
          "name": "gender",
          "label": {
            "en": "Gender",
            "zh": "性别"
          },
          "kind": "integer",
          "show": {
            "as": "one",
            "one": [
              {
                "value": 0,
                "label": {
                  "en": "unknown",
                  "zh": "未知"
                }
              },
              {
                "value": 1,
                "label": {
                  "en": "male",
                  "zh": "男"
                }
              },
              {
                "value": 2,
                "label": {
                  "en": "female",
                  "zh": "女"
                }
              }
            ]
          }
        },
        {
          "name": "birthday",
          "label": {
            "en": "Birthday",
            "zh": "生日"
          },
          "kind": "text"
        },
        {
          "name": "lastLoginTime",
          "label": {
            "en": "Last login",
            "zh": "最近登录时间"
          },
          "kind": "time"
        },
        {
          "name": "lastLoginIp",
          "label": {
            "en": "Address of the last login",
            "zh": "最近登录 IP"
          },
          "kind": "text"
        },
        {
          "name": "userLevel",
          "label": {
            "en": "User level",
            "zh": "用户等级"
          },
          "kind": "integer",
          "show": {
            "as": "one",
            "one": [
              {
                "value": 0,
                "label": {
                  "en": "regular",
                  "zh": "普通用户"
                }
              },
              {
                "value": 1,
                "label": {
                  "en": "VIP",
                  "zh": "VIP用户"
                }
              },
              {
                "value": 2,
                "label": {
                  "en": "senior VIP",
                  "zh": "高级VIP用户"
                }
              }
            ]
          }
        },
        {
          "name": "nickname",
          "label": {
            "en": "Nickname",
            "zh": "昵称"
          },
          "kind": "text"
        },
        {
          "name": "mobile",
          "label": {
            "en": "Mobile number",
            "zh": "手机号码"
          },
          "kind": "text"
        },
        {
          "name": "avatar",
          "label": {
            "en": "Avatar",
            "zh": "头像"
          },
          "kind": "text",
          "show": {
            "as": "picture"
          }
        },
        {
          "name": "status",
          "label": {
            "en": "Status",
            "zh": "状态"
          },
          "kind": "integer",
          "show": {
            "as": "one",
            "one": [
              {
                "value": 0,
                "label": {
                  "en": "active",
                  "zh": "可用"
                }
              },
              {
                "value": 1,
                "label": {
                  "en": "disabled",
                  "zh": "禁用"
                }
              },
              {
                "value": 2,
                "label": {
                  "en": "closed",
                  "zh": "注销"
                }
              }
            ]
          }
        },
        {
          "name": "addTime",
          "label": {
            "en": "Creation time",
            "zh": "创建时间"
          },
          "kind": "time"
        },
        {
          "name": "updateTime",
          "label": {
            "en": "Update time",
            "zh": "更新时间"
          },
          "kind": "time"
        },
        {
          "name": "deleted",
          "label": {
            "en": "Deletion",
            "zh": "删除标记"
          },
          "kind": "boolean"
        }
      ],
      "sorts": [
        "add_time",
        "id"
      ],
      "paged": true
    },
    "read": {
      "path": "/admin/user/detail",
      "method": "GET",
      "permission": "admin:user:read",
      "button": {
        "en": "Detail",
        "zh": "详情"
      },
      "fields": [
        {
          "name": "id",
          "label": {
            "en": "Id",
            "zh": "编号"
          },
          "kind": "id",
          "required": true
        }
      ]
    },
    "update": {
      "path": "/admin/user/update",
      "method": "POST",
      "permission": "admin:user:update",
      "button": {
        "en": "Edit",
        "zh": "编辑"
      },
      "fields": [
        {
          "name": "id",
          "label": {
            "en": "Id",
            "zh": "编号"
          },
          "kind": "id",
          "required": true
        },
        {
          "name": "expectedUpdateTime",
          "label": {
            "en": "Update time",
            "zh": "更新时间"
          },
          "kind": "text",
          "show": {
            "as": "time"
          }
        },
        {
          "name": "nickname",
          "label": {
            "en": "Nickname",
            "zh": "昵称"
          },
          "kind": "text",
          "max": 63
        },
        {
          "name": "mobile",
          "label": {
            "en": "Mobile number",
            "zh": "手机号码"
          },
          "kind": "text"
        },
        {
          "name": "gender",
          "label": {
            "en": "Gender",
            "zh": "性别"
          },
          "kind": "integer",
          "min": 0,
          "max": 2,
          "show": {
            "as": "one",
            "one": [
              {
                "value": 0,
                "label": {
                  "en": "unknown",
                  "zh": "未知"
                }
              },
              {
                "value": 1,
                "label": {
                  "en": "male",
                  "zh": "男"
                }
              },
              {
                "value": 2,
                "label": {
                  "en": "female",
                  "zh": "女"
                }
              }
            ]
          }
        },
        {
          "name": "userLevel",
          "label": {
            "en": "User level",
            "zh": "用户等级"
          },
          "kind": "integer",
          "min": 0,
          "max": 2,
          "show": {
            "as": "one",
            "one": [
              {
                "value": 0,
                "label": {
                  "en": "regular",
                  "zh": "普通用户"
                }
              },
              {
                "value": 1,
                "label": {
                  "en": "VIP",
                  "zh": "VIP用户"
                }
              },
              {
                "value": 2,
                "label": {
                  "en": "senior VIP",
                  "zh": "高级VIP用户"
                }
              }
            ]
          }
        },
        {
          "name": "status",
          "label": {
            "en": "Status",
            "zh": "状态"
          },
          "kind": "integer",
          "min": 0,
          "max": 2,
          "show": {
            "as": "one",
            "one": [
              {
                "value": 0,
                "label": {
                  "en": "active",
                  "zh": "可用"
                }
              },
              {
                "value": 1,
                "label": {
                  "en": "disabled",
                  "zh": "禁用"
                }
              },
              {
                "value": 2,
                "label": {
                  "en": "closed",
                  "zh": "注销"
                }
              }
            ]
          }
        }
      ]
    },
    "acts": [
      {
        "path": "/admin/user/export",
        "method": "GET",
        "permission": "admin:user:export",
        "button": {
          "en": "Export",
          "zh": "导出"
        },
        "fields": [
          {
            "name": "username",
            "label": {
              "en": "User name",
              "zh": "用户名"
            },
            "kind": "text"
          },
          {
            "name": "mobile",
            "label": {
              "en": "Mobile number",
              "zh": "手机号码"
            },
            "kind": "text"
          }
        ]
      }
    ]
  }
}
