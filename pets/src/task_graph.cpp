// task_graph
