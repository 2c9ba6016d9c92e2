// list_scheduler
